import type { Evaluation } from '../api/session-tree.js';
import { formatDuration } from '../format/duration.js';
import { formatValue } from '../format/number.js';
import { EvaluateNow } from './evaluate-now.js';

const DECISIONS: Readonly<Record<string, string>> = {
  scored: '✓ scored',
  error: '✕ failed',
  timeout: '✕ timed out',
  pending: '… pending',
  not_evaluated: '○ not evaluated',
};

interface Props {
  readonly project: string;
  readonly eventId: string;
  readonly evaluations: readonly Evaluation[];
}

/** What each metric has decided about an event, those with a score or a failure first. */
export function Evaluations({ project, eventId, evaluations }: Props) {
  if (evaluations.length === 0) return <p className="step-loading">The project has no metrics.</p>;
  const sorted = [...evaluations].sort((a, b) => weight(a) - weight(b));
  return (
    <ul className="evaluations">
      {sorted.map((one) => (
        <li key={one.metric_id} className={`evaluation evaluation-${one.decision}`}>
          <div className="evaluation-head">
            <bdi className="evaluation-name">{one.metric_name}</bdi>
            <span className="evaluation-version">{one.metric_version}</span>
            <span className="evaluation-decision">
              {DECISIONS[one.decision] ?? one.decision.replaceAll('_', ' ')}
            </span>
            {one.decision === 'scored' && <strong>{formatValue(one.value)}</strong>}
            {one.duration_ms > 0 && (
              <span className="evaluation-version">{formatDuration(one.duration_ms)}</span>
            )}
          </div>
          {one.decision === 'not_evaluated' && (
            <EvaluateNow project={project} eventId={eventId} metricId={one.metric_id} />
          )}
          {one.reason !== '' && <p className="evaluation-text">{one.reason}</p>}
          {one.explanation !== null && <p className="evaluation-text">{one.explanation}</p>}
        </li>
      ))}
    </ul>
  );
}

function weight({ decision }: Evaluation): number {
  const at = Object.keys(DECISIONS).indexOf(decision);
  return at === -1 ? Object.keys(DECISIONS).length : at;
}
