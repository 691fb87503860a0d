import { randomUUID } from 'node:crypto';
import type { runMetric, RunMetricRequest } from '@assay/contracts';
import {
  acceptEvent,
  compositeScore,
  hasGroundTruth,
  newMetric,
  type DeployedMetric,
  type Event,
  type EventInput,
} from '@assay/domain';
import { AppError, unavailable, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { FairSlots } from '@assay/runtime';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import {
  evaluateMetric,
  type EvaluateMetricDeps,
  type EvaluationOutcome,
} from '../judging/evaluate-metric.js';
import { withDefaultModel, type DefaultModel } from '../models/default-model.js';
import { checkModel } from './check-model.js';

export interface RunMetricDeps extends EvaluateMetricDeps {
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Model of metrics that name none; absent without one. */
  readonly defaultModel?: DefaultModel | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Evaluations of clients that run at a time, each with an event in memory. */
const SLOTS = { total: 32, perProject: 8, maxWaiting: 8, maxWaitMs: 10_000 };

/**
 * Evaluates an event of the request by a metric of the request. Filters, sampling and `enabled_in_prod` have no effect.
 * @throws AppError `VALIDATION_ERROR` for a metric or event that cannot be evaluated, the code of the failure when the
 * evaluation failed, `OVERLOADED`, `UNAVAILABLE`
 */
export function makeRunMetric(deps: RunMetricDeps): Operation<typeof runMetric> {
  const slots = new FairSlots(SLOTS);
  return ({ body }, { caller, signal }) => {
    const { projectId } = caller;
    const sent: DeployedMetric = { ...newMetric(body.metric, 'metric.'), id: '', version: '' };
    const metric = withDefaultModel(sent, deps.defaultModel);
    checkModel(metric);
    const event = eventOf(body.event, projectId, deps.now());
    if (metric.needs_ground_truth && !hasGroundTruth(event))
      throw validationError(
        'event.feedback.ground_truth is required, because metric.needs_ground_truth is set',
      );
    return slots.run(
      projectId,
      async () =>
        metric.type === 'COMPOSITE'
          ? combine(deps, metric, event)
          : toRunResponse(await evaluateMetric(deps, { metric, event }, signal)),
      signal,
    );
  };
}

/** Completes the event as if it were sent, and keeps the fields that events do not have. */
function eventOf(sent: RunMetricRequest['event'], projectId: string, now: number): Event {
  const input = { event_type: 'model', ...sent } as EventInput;
  const { event } = acceptEvent(input, { projectId, now, newId: randomUUID }, 'event.');
  return { ...sent, ...event };
}

async function combine({ definitions }: RunMetricDeps, metric: DeployedMetric, event: Event) {
  const { rules } = await definitions.of(event.project_id);
  const score = compositeScore({ ...metric, is_active: true }, [event.metrics], rules);
  return { success: true, loading: false, result: score ?? null, explanation: null };
}

/**
 * Returns the response about an evaluation that has a score.
 * @throws AppError the code of the failure, `OVERLOADED` and `UNAVAILABLE` when nothing was evaluated
 */
export function toRunResponse({ result, isPostponed }: Pick<EvaluationOutcome, 'result' | 'isPostponed'>) {
  const { decision, reason, value, explanation, errorClass } = result;
  if (decision === 'scored')
    return {
      success: true,
      loading: false,
      result: value,
      explanation: explanation === '' ? null : explanation,
    };
  if (isPostponed)
    throw errorClass === 'overloaded' ? new AppError('OVERLOADED', reason) : unavailable(reason);
  throw failure(errorClass, reason);
}

/** A source that defines nothing to evaluate is a mistake of the request; other failures are those of the evaluation. */
function failure(errorClass: string, reason: string): AppError {
  if (errorClass === 'unprocessable') return validationError(`metric.criteria: ${reason}`);
  const code = (['compilation_error', 'template_render_error', 'llm_response_parse_error'] as const).find(
    (known) => known === errorClass,
  );
  return new AppError(code ?? 'execution_error', reason);
}
