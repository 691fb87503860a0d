import type { Metric } from '../../api/metrics.js';
import { DecisionTable } from '../../evaluators/decision-table.js';
import { kindOf } from '../../evaluators/kinds.js';
import { EvaluationJob } from '../../evaluators/evaluation-job.js';
import { PeopleAgreement } from '../../evaluators/people-agreement.js';
import { useEvaluatorAddress } from './use-evaluator-address.js';

const RANGES: Readonly<Record<string, string>> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '1y': 'the last year',
};
const DEFAULT_RANGE = '7d';

/** What the metric has decided in a range of time, and how far it agrees with people. */
export function ResultsView({ metric }: { readonly metric: Metric }) {
  const { project, search, choose } = useEvaluatorAddress();
  const range =
    search.range !== undefined && Object.hasOwn(RANGES, search.range) ? search.range : DEFAULT_RANGE;
  const address = { project, metricId: metric.id };
  if (!kindOf(metric).isEvaluated)
    return <p className="evaluators-note">People score by this metric: queues show how far they agree.</p>;
  return (
    <div className="evaluator-results">
      <div className="evaluator-actions">
        <div className="segments" role="group" aria-label="Range">
          {Object.entries(RANGES).map(([one, name]) => (
            <button
              key={one}
              {...{ type: 'button', className: 'segment', 'aria-pressed': one === range }}
              onClick={() => choose({ range: one })}
            >
              {name}
            </button>
          ))}
        </div>
        <EvaluationJob
          {...{ address, dateRange: range, rangeName: RANGES[range] ?? range, jobId: search.job }}
          asksModel={kindOf(metric).asksModel}
          onStart={(job) => choose({ job })}
        />
      </div>
      <h3 className="evaluator-title">Decisions</h3>
      <DecisionTable address={address} dateRange={range} />
      <h3 className="evaluator-title">Agreement with people</h3>
      <PeopleAgreement
        {...{ address, dateRange: range, chosen: search.with, onChoose: (id) => choose({ with: id }) }}
      />
    </div>
  );
}
