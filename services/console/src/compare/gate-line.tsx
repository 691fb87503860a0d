import { useQuery } from '@tanstack/react-query';
import { gateOfRuns, type RunPair } from '../api/run-results.js';

const MARKS = { pass: '✓', fail: '✕', undecided: '○' } as const;

/** Whether the new run may replace the old one, with the reasons, as a pipeline would decide it. */
export function GateLine({ pair }: { readonly pair: RunPair }) {
  const { data, error } = useQuery({
    queryKey: ['gate', pair],
    queryFn: ({ signal }) => gateOfRuns(pair, signal),
    retry: false,
  });
  if (error !== null) return <span className="gate gate-undecided">gate: {error.message}</span>;
  if (data === undefined) return <span className="gate">gate: …</span>;
  const reasons = data.reasons.map(({ outcome, metric_name: name, reason }) =>
    [MARKS[outcome], name, reason].filter((text) => text !== undefined).join(' '),
  );
  return (
    <details className={`gate gate-${data.outcome}`}>
      <summary>
        gate: <span aria-hidden="true">{MARKS[data.outcome]}</span> {data.outcome}
      </summary>
      <ul>
        {reasons.map((reason, at) => (
          <li key={at}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}
