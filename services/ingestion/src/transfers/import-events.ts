import { encodeEvaluationsInParts, type importEvents, type MovedEvaluation } from '@assay/contracts';
import { acceptMovedEventSteps, type AcceptedEvent, type Evaluation } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { Operation } from '@assay/http';
import { runCooperatively, type Steps } from '@assay/runtime';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/**
 * Stores events of an export as they are. The evaluations of an event precede it on the log, so that the evaluator knows
 * them when it decides about the event, and repeats none.
 */
export function makeImportEvents(deps: IngestionDeps): Operation<typeof importEvents> {
  return async ({ body }, { caller, yieldToEventLoop }) => {
    const { projectId } = caller;
    const before = body.events.flatMap(({ event, evaluations }) => recordsOf(projectId, event, evaluations));
    const accepted = await runCooperatively(acceptSteps(body.events, projectId), yieldToEventLoop);
    await deps.appendEvents({ accepted, before }, yieldToEventLoop);
    return { stored: accepted.length };
  };
}

type Moved = Parameters<ReturnType<typeof makeImportEvents>>[0]['body']['events'];

function* acceptSteps(moved: Moved, projectId: string): Steps<AcceptedEvent[]> {
  const accepted: AcceptedEvent[] = [];
  for (const [index, { event }] of moved.entries()) {
    yield;
    accepted.push(yield* acceptMovedEventSteps(event, projectId, `events[${index}].event`));
  }
  return accepted;
}

function recordsOf(
  projectId: string,
  { event_id: eventId, session_id: sessionId }: Moved[number]['event'],
  moved: readonly MovedEvaluation[],
): LogRecord[] {
  if (moved.length === 0) return [];
  const event = { projectId, eventId: eventId.toLowerCase() };
  return encodeEvaluationsInParts(event, {
    sessionId: sessionId.toLowerCase(),
    evaluations: moved.map(toEvaluation),
  });
}

/** The trigger is the index among the evaluations of the event: whatever is decided here later is newer. */
function toEvaluation(moved: MovedEvaluation, index: number): Evaluation {
  return {
    metricId: moved.metric_id,
    metricVersion: moved.metric_version,
    metricName: moved.metric_name,
    decision: moved.decision,
    reason: moved.reason,
    value: moved.value,
    explanation: moved.explanation,
    errorClass: moved.error_code,
    durationMs: moved.duration_ms,
    cost: moved.cost,
    promptTokens: moved.prompt_tokens,
    completionTokens: moved.completion_tokens,
    attempts: moved.attempts,
    fingerprint: moved.fingerprint,
    trigger: index,
    decidedAt: moved.decided_at,
    jobId: moved.job_id,
  };
}
