import { UNKNOWN, type SessionSummary as SessionSummaryResponse } from '@assay/domain';
import type { SessionSummary } from '@assay/event-store';

/** Returns the summary of a session in the form of the API. */
export function toSessionSummary(sessionId: string, summary: SessionSummary): SessionSummaryResponse {
  const times = timesOf(summary);
  return {
    session_id: sessionId,
    session_name: summary.session?.name ?? UNKNOWN,
    source: summary.session?.source ?? UNKNOWN,
    ...times,
    duration: times.end_time === null ? null : times.end_time - times.start_time,
    num_events: summary.numEvents,
    num_model_events: summary.numModelEvents,
    num_tool_events: summary.numToolEvents,
    num_chain_events: summary.numChainEvents,
    num_errors: summary.numErrors,
    event_names: summary.names.map(({ eventType, eventName, count }) => ({
      event_type: eventType,
      event_name: eventName,
      count,
    })),
    metrics: summary.metrics.map((metric) => ({ ...metric })),
    run_ids: [...summary.runIds],
    days: summary.days.map((day) => ({
      day: day.day,
      num_events: day.events,
      num_model_events: day.modelEvents,
      num_errors: day.errors,
      prompt_tokens: day.promptTokens,
      completion_tokens: day.completionTokens,
      total_tokens: day.totalTokens,
      cost: day.cost,
      ...(day.cost === null && { unpriced_models: [...day.unpricedModels] }),
    })),
  };
}

/** A session that a client ended keeps its end; every other one ends with its last event. */
function timesOf({ session, firstStart, lastEnd }: SessionSummary) {
  const start_time = session?.startTime ?? firstStart ?? 0;
  const latest = Math.max(session?.endTime ?? -Infinity, lastEnd ?? -Infinity);
  const isEnded = session?.origin === 'sent' && session.endTime !== null;
  const end_time = isEnded ? session.endTime : latest === -Infinity ? null : latest;
  return { start_time, end_time };
}
