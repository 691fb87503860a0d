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
  return async ({ body }, { caller, yieldToEventLoop, trace }) => {
    const { projectId } = caller;
    const before = await runCooperatively(recordSteps(body.events, projectId), yieldToEventLoop);
    const accepted = await runCooperatively(acceptSteps(body.events, projectId), yieldToEventLoop);
    await deps.appendEvents({ accepted, before, trace }, yieldToEventLoop);
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

/** Evaluations that are encoded without a pause: at most some 100 KB each. */
const IN_ONE_STEP = 8;

function* recordSteps(moved: Moved, projectId: string): Steps<LogRecord[]> {
  const records: LogRecord[] = [];
  for (const { event, evaluations } of moved) {
    const key = { projectId, eventId: event.event_id.toLowerCase() };
    const sessionId = event.session_id.toLowerCase();
    const all = evaluations.map(toEvaluation);
    for (let from = 0; from < all.length; from += IN_ONE_STEP) {
      yield;
      const part = all.slice(from, from + IN_ONE_STEP);
      records.push(...encodeEvaluationsInParts(key, { sessionId, evaluations: part }));
    }
  }
  return records;
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
