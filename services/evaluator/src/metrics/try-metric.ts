import {
  DEFAULT_TRIED_EVENTS,
  type TriedEvent,
  type tryMetric,
  type TryMetricRequest,
} from '@assay/contracts';
import {
  BatchWork,
  canonicalUuid,
  hasGroundTruth,
  isAlwaysEvaluated,
  isSampled,
  newMetric,
  withDefaultModel,
  type DefaultModel,
  type DeployedMetric,
} from '@assay/domain';
import type { EventLog } from '@assay/event-log';
import { withHeaders, type Operation } from '@assay/http';
import type { Freshness } from '@assay/log-readers';
import { FairSlots, linkSignals } from '@assay/runtime';
import { combinedSources } from '../deciding/decide-event.js';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import { prepareOnRequest, type ProjectMetrics } from '../definitions/project-metrics.js';
import { kindOf } from '../kinds/kinds.js';
import type { EvaluateMetricDeps, EvaluationOutcome } from '../kinds/metric-kind.js';
import { failed } from '../kinds/results.js';
import { exclusionNow } from '../definitions/exclusion-now.js';
import { loadTriedEvents, newestMatches, type LoadedEvent, type TriedEventStore } from './tried-events.js';

export interface TryMetricDeps extends EvaluateMetricDeps {
  readonly store: TriedEventStore;
  readonly log: Pick<EventLog, 'end'>;
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Model of metrics that name none; absent without one. */
  readonly defaultModel?: DefaultModel | undefined;
  readonly waitUntilStored: (
    target: Promise<ReadonlyMap<number, number>>,
    maxWaitMs: number,
  ) => Promise<Freshness>;
}

/** Requests that run at a time, each with up to 64 MiB of events in memory. */
const SLOTS = { total: 4, perProject: 1, maxWaiting: 4, maxWaitMs: 10_000 };
/** Evaluations of one request that run at a time. */
const LANES = 4;
/** Events that are not evaluated by then have an error. */
const TRY_WITHIN_MS = 60_000;
const MAX_TEXT = 65_536;
const NO_GROUND_TRUTH = failed('no_ground_truth', 'the event has no feedback.ground_truth');
const LATE = failed('timeout', 'the time of the request is over, try the metric on fewer events');

interface Attempt {
  readonly metric: DeployedMetric;
  readonly rules: ProjectMetrics['rules'];
  /** Aborts when the client has disconnected or the time is over. */
  readonly signal: AbortSignal;
}

/**
 * Evaluates stored events by a metric of the request, as they are evaluated when they arrive, and stores nothing. An
 * evaluation that fails is a result; those of events that need a ground truth and have none fail.
 * @throws AppError `VALIDATION_ERROR` for a metric that cannot be evaluated, `OVERLOADED`, `UNAVAILABLE`
 */
export function makeTryMetric(deps: TryMetricDeps): Operation<typeof tryMetric> {
  const slots = new FairSlots(SLOTS);
  return async ({ body }, { caller, signal, waitMs }) => {
    const { projectId } = caller;
    const metric = draftOf(body, deps.defaultModel);
    if (waitMs !== undefined) await deps.waitUntilStored(deps.log.end(), waitMs);
    const response = await slots.run(
      projectId,
      async () => {
        const { rules } = await deps.definitions.of(projectId);
        const limit = body.newest ?? DEFAULT_TRIED_EVENTS;
        const newest = await newestMatches(deps.store, metric, { projectId, signal, limit });
        const eventIds = body.event_ids?.map(canonicalUuid) ?? newest.eventIds;
        const events: TriedEvent[] = [];
        const within = linkSignals([signal], TRY_WITHIN_MS);
        const trial = { metric, rules, signal: within.signal };
        try {
          for await (const part of loadTriedEvents(deps.store, [...new Set(eventIds)], { projectId, signal }))
            events.push(...(await inLanes(part, (loaded) => tryOn(deps, trial, loaded))));
        } finally {
          within.unlink();
        }
        const found = new Set(events.map(({ event_id: id }) => id));
        return { events, missing_ids: eventIds.filter((id) => !found.has(id)), matched: newest.matched };
      },
      signal,
    );
    return waitMs === undefined
      ? response
      : withHeaders(response, { 'Preference-Applied': `wait=${waitMs / 1_000}` });
  };
}

function draftOf(
  { metric: sent, metric_id: id = '' }: TryMetricRequest,
  defaultModel: DefaultModel | undefined,
): DeployedMetric {
  const metric = withDefaultModel({ ...newMetric(sent, 'metric.'), id, version: '' }, defaultModel);
  kindOf(metric).check(metric);
  return metric;
}

/** Handles items a few at a time; results are in their order. */
async function inLanes<T, R>(items: readonly T[], handle: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await handle(items[index] as T);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

async function tryOn(deps: TryMetricDeps, attempt: Attempt, loaded: LoadedEvent): Promise<TriedEvent> {
  const { metric } = attempt;
  const { event } = loaded;
  const { result, trace } = await evaluate(deps, attempt, loaded);
  const { decision, reason, value, explanation, errorClass } = result;
  return {
    event_id: event.event_id,
    event_name: event.event_name,
    event_type: event.event_type,
    start_time: event.start_time,
    matches: await matchesAll(metric, loaded),
    sampled: isAlwaysEvaluated(event) || isSampled(metric.id, event.event_id, metric.sampling_percentage),
    value,
    explanation: explanation === '' ? null : explanation,
    prompt: trace.prompt?.slice(0, MAX_TEXT) ?? null,
    reply: trace.reply?.slice(0, MAX_TEXT) ?? null,
    stdout: trace.stdout ?? '',
    error: decision === 'scored' ? null : { code: errorClass, message: reason, line: trace.line ?? null },
    duration_ms: result.durationMs,
    cost: result.cost,
    prompt_tokens: result.promptTokens,
    completion_tokens: result.completionTokens,
  };
}

/** Returns whether the event matches all filters; null when that takes too much work to be decided. */
async function matchesAll(
  metric: DeployedMetric,
  { event, totals }: Pick<LoadedEvent, 'event' | 'totals'>,
): Promise<boolean | null> {
  const prepared = prepareOnRequest({ ...metric, needs_ground_truth: false });
  const work = new BatchWork().forEvent();
  const exclusion = await exclusionNow(prepared, { event, work, totals: () => Promise.resolve(totals) });
  return exclusion === 'not_decided' ? null : exclusion === undefined;
}

async function evaluate(
  deps: TryMetricDeps,
  { metric, rules, signal }: Attempt,
  { event, sessionMetrics }: LoadedEvent,
): Promise<Pick<EvaluationOutcome, 'result' | 'trace'>> {
  if (signal.aborted) return { result: LATE, trace: {} };
  if (metric.needs_ground_truth && !hasGroundTruth(event)) return { result: NO_GROUND_TRUTH, trace: {} };
  const sources = combinedSources({ event, ...(sessionMetrics && { sessionMetrics }) });
  const outcome = await kindOf(metric).evaluate(deps, { metric, event, scores: { sources, rules } }, signal);
  return signal.aborted && outcome.result.decision !== 'scored' ? { ...outcome, result: LATE } : outcome;
}
