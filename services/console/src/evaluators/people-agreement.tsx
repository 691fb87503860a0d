import { useQuery } from '@tanstack/react-query';
import {
  agreementOfMetric,
  metricsOfPeople,
  type MetricAddress,
  type MetricAgreement,
} from '../api/metrics.js';
import { formatCount, formatScore } from '../format/number.js';
import { printName } from '../format/name.js';
import { Failure } from '../ui/failure.js';
import { SelectField } from './select-field.js';

interface Props {
  readonly address: MetricAddress;
  readonly dateRange: string;
  /** Id of the metric of people. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

/** How far the metric agrees with people, as a confusion matrix. */
export function PeopleAgreement({ address, dateRange, chosen, onChoose }: Props) {
  const { project, metricId } = address;
  const people = useQuery({
    queryKey: ['metrics of people', project],
    queryFn: ({ signal }) => metricsOfPeople(project, signal),
  });
  const metrics = people.data?.metrics ?? [];
  const other = metrics.find(({ id }) => id === chosen)?.id;
  const { data, error, refetch } = useQuery({
    queryKey: ['metric agreement', project, metricId, other, dateRange],
    queryFn: ({ signal }) => agreementOfMetric(address, { with: other ?? '', dateRange }, signal),
    enabled: other !== undefined,
  });
  if (people.error !== null)
    return (
      <Failure
        {...{ title: 'The metrics could not be read', error: people.error }}
        onRetry={() => void people.refetch()}
      />
    );
  if (people.data !== undefined && metrics.length === 0)
    return <p className="evaluators-note">No metric of people yet to compare the scores with.</p>;
  const names = Object.fromEntries(metrics.map(({ id, name }) => [id, printName(name)]));
  return (
    <div className="evaluator-agreement">
      <SelectField
        {...{ label: 'Scores of people', value: other ?? '', options: { '': 'choose a metric', ...names } }}
        onChange={(id) => onChoose(id === '' ? undefined : id)}
      />
      {error !== null && (
        <Failure title="The agreement could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data && <Agreement agreement={data} />}
    </div>
  );
}

function Agreement({ agreement }: { readonly agreement: MetricAgreement }) {
  const { n, accuracy, kappa, labels, confusion_matrix: matrix, complete } = agreement;
  if (n === 0) return <p className="evaluators-note">No event of this range has both scores.</p>;
  return (
    <>
      <p className="evaluator-facts">
        <span>{formatCount(n)} events with both scores</span>
        <span>{formatScore(accuracy)} of them equal</span>
        <span>Cohen’s kappa {formatScore(kappa)}</span>
        {!complete && <span>the newest of more</span>}
      </p>
      {labels.length === 0 ? (
        <p className="evaluators-note">More than 100 different scores have no table.</p>
      ) : (
        <table className="evaluators-table evaluator-matrix">
          <caption>Events by what people scored (row) and the metric (column)</caption>
          <thead>
            <tr>
              <td />
              {labels.map((label) => (
                <th key={label} scope="col" title={label}>
                  <bdi>{printName(label)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, row) => (
              <tr key={label}>
                <th scope="row" title={label}>
                  <bdi>{printName(label)}</bdi>
                </th>
                {labels.map((column, at) => (
                  <td key={column} className={at === row ? 'evaluator-agreed' : undefined}>
                    {formatCount(matrix[row]?.[at] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
