import type { MetricAddress } from '../api/metrics.js';
import { formatCost } from '../format/cost.js';
import { formatCount } from '../format/number.js';
import { printName } from '../format/name.js';
import { Failure } from '../ui/failure.js';
import { useDecisions } from './use-decisions.js';

interface Props {
  readonly address: MetricAddress;
  readonly dateRange: string;
}

/** What the metric has decided, and why it failed, in a range of time of the decisions. */
export function DecisionTable({ address, dateRange }: Props) {
  const { data, error, refetch } = useDecisions(address, dateRange);
  if (error !== null)
    return <Failure title="The decisions could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="evaluators-note">Reading decisions …</p>;
  if (data.total === 0) return <p className="evaluators-note">The metric has decided about no event.</p>;
  return (
    <table className="evaluators-table">
      <caption className="visually-hidden">Decisions</caption>
      <thead>
        <tr>
          {['Decision', 'Events', 'Failures by code', 'Cost'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.decisions.map(({ decision, events, error_codes: codes, cost }) => (
          <tr key={decision}>
            <th scope="row">{decision.replaceAll('_', ' ')}</th>
            <td>{formatCount(events)}</td>
            <td>{codesText(codes)}</td>
            <td>{cost === null ? 'unknown' : formatCost(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function codesText(codes: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(codes).map(
    ([code, count]) => `${printName(code)} ${formatCount(Number(count))}`,
  );
  return parts.length === 0 ? '—' : parts.join(' · ');
}
