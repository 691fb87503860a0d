import type { DayCount, SessionSummary } from '@assay/domain';
import { isDayInKey, readUsageKey, usageKey } from './usage-key.js';

type Count = (typeof COUNTS)[number];
const COUNTS = [
  'num_events',
  'num_model_events',
  'num_tool_events',
  'num_chain_events',
  'num_errors',
] as const;

/**
 * A summary without what the rest of its document tells: the session id, a count that is 0 or the sum of the days, the
 * duration, empty lists, and the day of a session whose usage is in `usage_key`. Documents of earlier releases have all
 * fields of the summary.
 */
export interface StoredSummary extends Partial<Readonly<Record<Count, number>>> {
  readonly session_name: string;
  readonly start_time: number;
  readonly end_time?: number | null;
  readonly duration?: number | null;
  /** The source, cut; `source` is absent if it is equal. */
  readonly source_key: string;
  readonly source?: string;
  /** See {@link usageKey}; absent from documents of earlier releases. */
  readonly usage_key?: string | null;
  readonly days?: readonly DayCount[];
  readonly run_ids?: readonly string[];
  /** Type, name and count; `event_names` in documents of earlier releases. */
  readonly names?: readonly (readonly [
    SessionSummary['event_names'][number]['event_type'],
    string,
    number,
  ])[];
  readonly event_names?: SessionSummary['event_names'];
  /** Name, count, sum, minimum and maximum; `metrics` in documents of earlier releases. */
  readonly totals?: readonly (readonly [string, number, number, number, number])[];
  readonly metrics?: SessionSummary['metrics'];
}

const MAX_KEY_LENGTH = 200;

export function sourceKey(source: string): string {
  return source.slice(0, MAX_KEY_LENGTH);
}

/** Returns what a document holds of a summary. */
export function toStoredSummary(summary: Readonly<SessionSummary>, isListed: boolean): StoredSummary {
  const { start_time, end_time, duration, source, event_names, metrics, run_ids, days } = summary;
  const key = usageKey(summary, isListed);
  const derived = derivedCounts(days);
  const counts = COUNTS.filter((name) => summary[name] !== derived[name]);
  return {
    session_name: summary.session_name,
    start_time,
    source_key: sourceKey(source),
    usage_key: key,
    ...Object.fromEntries(counts.map((name) => [name, summary[name]])),
    ...(end_time !== null && { end_time }),
    ...(duration !== durationOf(start_time, end_time) && { duration }),
    ...(source !== sourceKey(source) && { source }),
    ...(run_ids.length > 0 && { run_ids }),
    ...(days.length > 0 && !isDayInKey(days, key) && { days }),
    ...(event_names.length > 0 && {
      names: event_names.map((one) => [one.event_type, one.event_name, one.count] as const),
    }),
    ...(metrics.length > 0 && {
      totals: metrics.map(({ name, count, sum, min, max }) => [name, count, sum, min, max] as const),
    }),
  };
}

/** Returns the summary of a stored session. */
export function toSummary(sessionId: string, stored: StoredSummary): SessionSummary {
  const { start_time, end_time = null, source = stored.source_key, names = [], totals = [] } = stored;
  const days = daysOf(stored);
  const derived = derivedCounts(days);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, stored[name] ?? derived[name]]));
  return {
    session_id: sessionId,
    session_name: stored.session_name,
    source,
    start_time,
    end_time,
    duration: stored.duration === undefined ? durationOf(start_time, end_time) : stored.duration,
    ...(counts as Record<Count, number>),
    event_names:
      stored.event_names ??
      names.map(([event_type, event_name, count]) => ({ event_type, event_name, count })),
    metrics: stored.metrics ?? totals.map(([name, count, sum, min, max]) => ({ name, count, sum, min, max })),
    run_ids: [...(stored.run_ids ?? [])],
    days,
  };
}

/** Returns the days of a stored session: its own ones, or the day of its key. */
export function daysOf({ days, usage_key: key }: Pick<StoredSummary, 'days' | 'usage_key'>): DayCount[] {
  if (days) return [...days];
  const found = key ? readUsageKey(key) : undefined;
  if (!found || !('usage' in found) || found.usage.num_events === 0) return [];
  const { num_sessions: _sessions, unpriced_models, ...day } = found.usage;
  return [day.cost === null ? { ...day, unpriced_models } : day];
}

/** Counts that the days of a session add up to; 0 for the others. */
function derivedCounts(days: readonly DayCount[]): Record<Count, number> {
  const sums = { num_events: 0, num_model_events: 0, num_tool_events: 0, num_chain_events: 0, num_errors: 0 };
  for (const { num_events, num_model_events, num_errors = 0 } of days) {
    sums.num_events += num_events;
    sums.num_model_events += num_model_events;
    sums.num_errors += num_errors;
  }
  return sums;
}

function durationOf(start: number, end: number | null): number | null {
  return end === null ? null : end - start;
}
