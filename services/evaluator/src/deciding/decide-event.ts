import {
  acceptUpdate,
  awaitsQuiet,
  evaluationAfter,
  fingerprintOf,
  inputFingerprint,
  keepsScore,
  pendingEvaluation,
  requestedEvaluation,
  undecidedEvaluation,
  type DeployedMetric,
  type Evaluation,
  type EvaluationRequest,
  type Event,
  type EventPatch,
  type JsonObject,
} from '@assay/domain';
import { combinedScore } from '../kinds/composite.js';
import { decideWhenQuiet } from './decide-when-quiet.js';
import type { DecisionInput } from './decision-input.js';
import { hasEvaluated, lastOf, triggerAfter } from './last-evaluation.js';

/** What is to be done about an event. */
export interface EventDecision {
  /** Evaluations that become pending. */
  readonly pending: readonly Evaluation[];
  /** Composites that were computed. */
  readonly computed: readonly Evaluation[];
  /** Evaluations that end because the filters of the metric were not decided, or are now and exclude the event. */
  readonly closed: readonly Evaluation[];
  /** Sets the scores of the composites; absent without any. */
  readonly patch?: EventPatch;
}

/**
 * Decides which metrics evaluate an event now. A metric evaluates an event when it first matches, unless a client has set
 * the score, and again when outputs, feedback or the ground truth differ from what it evaluated last. Composites
 * are computed immediately, and written only when that changes the event; so writing scores leads to no further evaluation.
 */
export function decideEvent(input: DecisionInput): EventDecision {
  const { event, applying, now } = input;
  const { judges } = applying;
  const fingerprint = judges.length > 0 ? inputFingerprint(event) : '';
  const pending = judges.flatMap((metric) => {
    const last = lastOf(input.evaluations, metric.id);
    if (hasEvaluated(last, fingerprint) || keepsScore(last, event, metric.name)) return [];
    const trigger = triggerAfter(event, last);
    return [evaluationAfter(last, pendingEvaluation(metric, { fingerprint, trigger, decidedAt: now }))];
  });
  const known = new Set(pending.map(({ metricId }) => metricId));
  const requested = decideRequests(input).filter(({ metricId }) => !known.has(metricId));
  const asked = new Set(requested.map(({ metricId }) => metricId));
  const waiting = decideWhenQuiet(input).filter(({ metricId }) => !asked.has(metricId));
  return {
    pending: [...pending, ...requested, ...waiting],
    ...decideComposites(input),
    closed: closeUndecided(input),
  };
}

/**
 * Ends evaluations whose filters were not decided. What was evaluated with the same input, or has the score of a client,
 * stays as it is. When the filters are decided later, and exclude the event, the evaluation ends as they say.
 */
function closeUndecided({ event, applying, evaluations, requests, now }: DecisionInput): Evaluation[] {
  const { undecided, excluded } = applying;
  const fingerprint = undecided.length > 0 ? inputFingerprint(event) : '';
  const closed = undecided.flatMap((metric) => {
    const last = lastOf(evaluations, metric.id);
    const jobId = requests?.get(metric.id)?.jobId;
    if (hasEvaluated(last, fingerprint) || keepsScore(last, event, metric.name)) return [];
    const isKnown = last?.fingerprint === fingerprint && last.metricVersion === metric.version;
    if (isKnown && (jobId === undefined || last.jobId === jobId)) return [];
    const cause = { fingerprint, trigger: triggerAfter(event, last), decidedAt: now };
    return [
      undecidedEvaluation(
        last,
        pendingEvaluation(metric, { ...cause, ...(jobId !== undefined && { jobId }) }),
      ),
    ];
  });
  const decided = [...excluded].flatMap(([metricId, decision]) => {
    const last = lastOf(evaluations, metricId);
    if (last?.decision !== 'not_decided') return [];
    return [{ ...last, decision, reason: DECIDED_LATER, trigger: triggerAfter(event, last), decidedAt: now }];
  });
  return [...closed, ...decided];
}

const DECIDED_LATER = 'decided when the event or the metrics had changed';

/**
 * Decides about the metrics that jobs have asked for. Such a metric evaluates an event once in the deployed version, and
 * again when the evaluation failed before the job began. The score of a client stays.
 */
function decideRequests({ event, applying, evaluations, requests, now }: DecisionInput): Evaluation[] {
  return applying.requested.flatMap((metric) => {
    const request = requests?.get(metric.id);
    if (request === undefined) return [];
    const { metricId, jobId } = request;
    const fingerprint = inputFingerprint(event);
    const last = lastOf(evaluations, metricId);
    const ofVersion = lastOf(
      evaluations.filter(({ metricVersion }) => metricVersion === metric.version),
      metricId,
    );
    const isComplete = ofVersion?.fingerprint === fingerprint && !isRepeatable(ofVersion, request);
    if (isComplete || keepsScore(last, event, metric.name)) return [];
    const trigger = triggerAfter(event, last);
    const cause = { fingerprint, trigger, decidedAt: now, ...(jobId !== undefined && { jobId }) };
    return [evaluationAfter(last, requestedEvaluation(metric, cause))];
  });
}

/** A job repeats each failure once, and decides now about a session that is not quiet. Without job ids, of an earlier release, times say which failures are its own. */
function isRepeatable(last: Evaluation, request: EvaluationRequest): boolean {
  if (awaitsQuiet(last)) return true;
  if (last.decision === 'scored' || last.decision === 'pending') return false;
  const areKnown = last.jobId !== undefined && request.jobId !== undefined;
  return areKnown ? last.jobId !== request.jobId : last.decidedAt < request.since;
}

/** Returns whether composites apply to the event, a session, so that the metrics of its events are needed. */
export function needsSessionMetrics({ event, applying }: Pick<DecisionInput, 'event' | 'applying'>): boolean {
  return isSession(event) && applying.composites.length > 0;
}

const WITHOUT_CHILDREN = { decision: 'not_matching', reason: 'no child has a score any more' } as const;

/** Returns whether the event has the score that the composite has computed last. */
function hasOwnScore({ metrics }: Event, { name }: DeployedMetric, last: Evaluation | undefined): boolean {
  return last?.decision === 'scored' && last.value !== null && metrics[name] === last.value;
}

function decideComposites(input: DecisionInput): Pick<EventDecision, 'computed' | 'patch'> {
  const { event, metrics, evaluations, now } = input;
  const computed: Evaluation[] = [];
  const scores: JsonObject = {};
  const combined = { sources: combinedSources(input), rules: metrics.rules };
  for (const metric of input.applying.composites) {
    const value = combinedScore(metric, combined) ?? null;
    const last = lastOf(evaluations, metric.id);
    const isUnchanged =
      value === null ? !hasOwnScore(event, metric, last) : event.metrics[metric.name] === value;
    if (isUnchanged) continue;
    scores[metric.name] = value;
    const trigger = triggerAfter(event, last);
    const cause = { fingerprint: fingerprintOf(value), trigger, decidedAt: now };
    const waiting = pendingEvaluation(metric, {
      ...cause,
      jobId: input.requests?.get(metric.id)?.jobId ?? '',
    });
    computed.push({ ...waiting, ...(value === null ? WITHOUT_CHILDREN : { decision: 'scored', value }) });
  }
  if (computed.length === 0) return { computed };
  return { computed, patch: acceptUpdate({ metrics: scores }) };
}

/** Returns the scores that composites combine on an event: those of the event, and on a session those of all its events. */
export function combinedSources({
  event,
  sessionMetrics = [],
}: Pick<DecisionInput, 'sessionMetrics'> & { readonly event: Event }): readonly JsonObject[] {
  return isSession(event) ? sessionMetrics : [event.metrics];
}

function isSession({ event_type: type }: Event): boolean {
  return type === 'session';
}
