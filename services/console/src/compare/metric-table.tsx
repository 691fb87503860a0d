import type { ComparedMetric, Comparison } from '../api/run-results.js';
import { formatCount, formatScore } from '../format/number.js';
import type { CompareView } from './compare-view.js';
import { directionMark, intervalText, signed, verdictText } from './verdict-text.js';
import './metric-table.css';

interface Props {
  readonly comparison: Comparison;
  readonly view: CompareView;
  readonly onView: (change: Partial<CompareView>) => void;
}

/** What the scores of both runs show, metric by metric. Choosing one orders the datapoints by it. */
export function MetricTable({ comparison, view, onView }: Props) {
  const { metrics, lost_metrics: lost } = comparison;
  return (
    <div className="metric-scroll" role="group" aria-label="Metrics" tabIndex={0}>
      <table className="metric-table">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {['Old', 'New', 'Δ', '95 % interval', 'Better', 'Worse', 'Same', 'n'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric) => (
            <MetricRow
              key={`${metric.metric_name} ${metric.event_name}`}
              metric={metric}
              view={view}
              onView={onView}
            />
          ))}
          {lost.map(({ metric_name: name, event_name: event, only_old: scores }) => (
            <tr key={`lost ${name} ${event}`} className="metric-lost">
              <th scope="row">
                <bdi>{name}</bdi> <span className="metric-event">on {event}</span>
              </th>
              <td colSpan={8}>only the old run has this metric, for {formatCount(scores)} datapoints</td>
              <td className="verdict verdict-neutral">○ missing</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly metric: ComparedMetric;
  readonly view: CompareView;
  readonly onView: (change: Partial<CompareView>) => void;
}

function MetricRow({ metric, view, onView }: RowProps) {
  const { metric_name: name, event_name: event, statistics } = metric;
  const { symbol, text, tone } = verdictText(statistics);
  const isChosen = view.metric === name && (view.event ?? event) === event;
  const choose = () => onView(isChosen ? { metric: undefined, event: undefined } : { metric: name, event });
  const p = `p = ${formatScore(statistics.p_value)}, ${formatScore(statistics.adjusted_p_value)} corrected for all metrics`;
  return (
    <tr className={isChosen ? 'metric-chosen' : undefined}>
      <th scope="row">
        <button type="button" className="metric-name" aria-pressed={isChosen} onClick={choose}>
          <bdi>{name}</bdi>
          <span className="metric-direction" title={`${statistics.direction} is better`}>
            {directionMark(statistics.direction)}
            <span className="visually-hidden">, {statistics.direction} is better</span>
          </span>
        </button>
        <span className="metric-event">on {event}</span>
      </th>
      <td className="number">{formatScore(metric.old_aggregate)}</td>
      <td className="number">{formatScore(metric.new_aggregate)}</td>
      <td className="number">{signed(statistics.mean_difference)}</td>
      <td className="number">{intervalText(statistics.confidence_interval)}</td>
      <td className="number">{formatCount(metric.improved_count)}</td>
      <td className="number">{formatCount(metric.degraded_count)}</td>
      <td className="number">{formatCount(metric.same_count)}</td>
      <td className="number">{formatCount(statistics.pairs)}</td>
      <td className={`verdict verdict-${tone}`} title={p}>
        <span aria-hidden="true">{symbol}</span> {text}
      </td>
    </tr>
  );
}
