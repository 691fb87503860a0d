import { kappaText } from '../../annotation/progress.js';
import type { MetricAgreement, QueueStatistics } from '../../api/queues.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';

/** How well annotators agree on each metric. */
export function Agreement({ statistics }: { readonly statistics: QueueStatistics }) {
  const { metrics, complete } = statistics;
  if (metrics.length === 0) return null;
  return (
    <table className="queues-table">
      <caption className="visually-hidden">Agreement of annotators</caption>
      <thead>
        <tr>
          {['Metric', 'Annotators', 'Scored by several', 'Fleiss’ kappa', 'Pairs (Cohen’s kappa)'].map(
            (title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {metrics.map((metric) => (
          <AgreementRow key={metric.metric} metric={metric} />
        ))}
      </tbody>
      {!complete && (
        <tfoot>
          <tr>
            <td colSpan={5}>Of the first 1,000 items that are done.</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function AgreementRow({ metric }: { readonly metric: MetricAgreement }) {
  const { metric: name, annotators, events, fleiss_kappa: kappa, pairs } = metric;
  const people = annotators
    .map(({ annotator, events: count }) => `${annotator} ${formatCount(count)}`)
    .join(' · ');
  const pairTexts = pairs.map(
    (pair) => `${pair.annotators.join(' – ')} ${kappaText(pair.kappa)} (${formatCount(pair.n)})`,
  );
  return (
    <tr>
      <th scope="row">
        <bdi title={name}>{printName(name)}</bdi>
      </th>
      <td title={people}>{people}</td>
      <td>{formatCount(events)}</td>
      <td>{events === 0 ? '—' : kappaText(kappa)}</td>
      <td title={pairTexts.join('\n')}>{pairTexts.slice(0, 2).join(' · ') || '—'}</td>
    </tr>
  );
}
