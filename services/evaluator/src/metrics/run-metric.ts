import { randomUUID } from 'node:crypto';
import type { runMetric, RunMetricRequest } from '@assay/contracts';
import {
  acceptEventSteps,
  EVENT_SHAPE,
  hasGroundTruth,
  newMetric,
  withDefaultModel,
  traitsOf,
  type DefaultModel,
  type DeployedMetric,
  type Event,
  type EventInput,
  type JsonObject,
} from '@assay/domain';
import { AppError, unavailable, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { createYieldToEventLoop, FairSlots, runCooperatively } from '@assay/runtime';
import { kindOf } from '../kinds/kinds.js';
import type { EvaluatedEvent, EvaluateMetricDeps, EvaluationOutcome } from '../kinds/metric-kind.js';
import { visibleEvent } from '../kinds/results.js';

export interface RunMetricDeps extends EvaluateMetricDeps {
  /** Model of metrics that name none; absent without one. */
  readonly defaultModel?: DefaultModel | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const COMPOSITE =
  'metric.type must be PYTHON or LLM: a composite combines the scores of stored events, try it with POST /v1/metrics/try';
/** Evaluations of clients that run at a time, each with an event in memory. */
const SLOTS = { total: 32, perProject: 8, reserve: 32, maxWaiting: 8, maxWaitMs: 10_000, leavesRoom: true };

/**
 * Evaluates an event of the request by a metric of the request. Filters, sampling and `enabled_in_prod` have no effect.
 * @throws AppError `VALIDATION_ERROR` for a metric or event that cannot be evaluated, the code of the failure when the
 * evaluation failed, `OVERLOADED`, `UNAVAILABLE`
 */
export function makeRunMetric(deps: RunMetricDeps): Operation<typeof runMetric> {
  const slots = new FairSlots(SLOTS);
  return async ({ body }, { caller, signal }) => {
    const { projectId } = caller;
    const sent: DeployedMetric = { ...newMetric(body.metric, 'metric.'), id: '', version: '' };
    const metric = withDefaultModel(sent, deps.defaultModel);
    if (traitsOf(metric).hasChildren) throw validationError(COMPOSITE);
    kindOf(metric).check(metric);
    const event = await eventOf(body.event, projectId, deps.now());
    if (metric.needs_ground_truth && !hasGroundTruth(event))
      throw validationError(
        'event.feedback.ground_truth is required, because metric.needs_ground_truth is set',
      );
    return slots.run(
      projectId,
      async () =>
        toRunResponse(
          await kindOf(metric).evaluate(deps, { metric, event: visibleIn(body.event, event) }, signal),
        ),
      signal,
    );
  };
}

/** Fields of events that clients send. */
const SENT_FIELDS = [...EVENT_SHAPE.fields.map(({ name }) => name), 'session_name'];

/** Completes the event as if it were sent, in turns of the event loop. Null is the same as an absent field. */
async function eventOf(sent: RunMetricRequest['event'], projectId: string, now: number): Promise<Event> {
  const values: JsonObject = sent;
  // The others may be very many.
  const stated = SENT_FIELDS.filter((name) => isStated(values, name)).map((name) => [name, values[name]]);
  const input = { event_type: 'model', ...Object.fromEntries(stated) } as EventInput;
  const accepting = acceptEventSteps(input, { projectId, now, newId: randomUUID }, 'event.');
  return (await runCooperatively(accepting, createYieldToEventLoop())).event;
}

function isStated(sent: JsonObject, name: string): boolean {
  return Object.hasOwn(sent, name) && sent[name] !== null;
}

/** Fields that are None in Python and in templates unless the request states them. */
const SCALARS = [
  ...['event_id', 'session_id', 'parent_id', 'event_type', 'event_name'],
  ...['source', 'error', 'start_time', 'end_time', 'duration'],
] as const;

/**
 * Returns what the metric sees: the completed event without the values that completing it has made up, and the fields that events do not have.
 * It is the sent object, because a copy of very many fields would take the event loop for long.
 */
function visibleIn(sent: JsonObject, event: Event): EvaluatedEvent {
  const hasTimes = isStated(sent, 'start_time') && isStated(sent, 'end_time');
  const absent = SCALARS.filter((name) => !isStated(sent, name) && !(name === 'duration' && hasTimes));
  const nulls = Object.fromEntries(absent.map((name) => [name, null]));
  return Object.assign(sent, visibleEvent(event), nulls, { project_id: event.project_id });
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
