import type { JsonObject } from '../json.js';
import type { Event } from '../events/event.js';
import { completeEnd } from '../events/time/check-times.js';
import type { Usage } from './count-usage.js';

/** Totals over the events of a session, without the session itself. */
export interface SessionTotals extends Usage {
  readonly numEvents: number;
  readonly numModelEvents: number;
  /** Events that ended with an error. */
  readonly numErrors: number;
  readonly hasFeedback: boolean;
  /** Unix milliseconds; absent when no event has them. */
  readonly firstStart?: number;
  readonly lastEnd?: number;
}

/** The fields of a session that its totals change, or depend on. */
type Totalled = Pick<Event, 'metadata' | 'origin' | 'start_time' | 'end_time' | 'duration'>;

/**
 * Returns a session as it is returned to clients: with the totals of its events in `metadata`, and with times that
 * cover them. A cost that is unknown is null, beside the models without a price. Token counts and a cost that a client set on the session win. So do the end and the duration of a
 * session that a client sent. A synthesised session starts with its first and ends with its last event.
 */
export function withTotals<Session extends Totalled>(
  session: Session,
  totals: SessionTotals | undefined,
): Session {
  const metadata: JsonObject = { ...session.metadata, ...countsOf(totals), ...usageOf(session, totals) };
  return { ...session, metadata, ...timesOf(session, totals) };
}

function countsOf(totals: SessionTotals | undefined): JsonObject {
  if (!totals) return { num_events: 0, num_model_events: 0, num_errors: 0 };
  return {
    num_events: totals.numEvents,
    num_model_events: totals.numModelEvents,
    num_errors: totals.numErrors,
    has_feedback: totals.hasFeedback,
  };
}

function usageOf({ metadata }: Totalled, totals: SessionTotals | undefined): JsonObject {
  if (!totals) return {};
  const cost = metadata['cost'] ?? totals.cost;
  return {
    cost,
    ...(cost === null && { unpriced_models: [...totals.unpricedModels] }),
    total_tokens: metadata['total_tokens'] ?? totals.totalTokens,
    prompt_tokens: metadata['prompt_tokens'] ?? totals.promptTokens,
    completion_tokens: metadata['completion_tokens'] ?? totals.completionTokens,
  };
}

function timesOf(session: Totalled, totals: SessionTotals | undefined): Partial<Totalled> {
  const { firstStart, lastEnd } = totals ?? {};
  if (session.origin === 'synthesised' && firstStart !== undefined) {
    const start_time = Math.min(session.start_time, firstStart);
    const end_time = Math.max(session.end_time ?? start_time, lastEnd ?? start_time);
    return { start_time, end_time, duration: end_time - start_time };
  }
  const own = completeEnd(session.start_time, session.end_time, session.duration);
  if (own.end_time !== null || lastEnd === undefined) return {};
  const end_time = Math.max(session.start_time, lastEnd);
  return { end_time, duration: end_time - session.start_time };
}
