import { validationError } from '@assay/errors';
import type { DateRange } from '../events/filter/date-range.js';
import type { SessionSummary } from './session-summary.js';
import { listUnpriced } from './unpriced-models.js';

/** What a project used. Field names are those of the API. */
export interface Usage {
  /** Events that are not sessions. */
  num_events: number;
  num_model_events: number;
  /** Sessions that have an event of their own. */
  num_sessions: number;
  /** Events that ended with an error. */
  num_errors: number;
  /** What the model events report, added up. */
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** USD, of the model events; null when the cost of one that reports tokens is unknown. */
  cost: number | null;
  /** The models of these, as `listUnpriced` returns them; empty when the cost is known. */
  unpriced_models: string[];
}

/** What a project used on one day (UTC): events and sessions count on the day of their start. */
export interface UsageDay extends Usage {
  /** Such as `2026-11-22`. */
  day: string;
}

/** Days (UTC), both inclusive. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** Most days of one response. */
export const MAX_USAGE_DAYS = 366;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** Start times outside [2000-01-01, 2100-01-01) count as the nearest time within, as in the event store. */
const [FIRST_TIME, LAST_TIME] = [946_684_800_000, 4_102_444_799_999];

/** Returns the day (UTC) of a time in Unix milliseconds. */
export function dayOf(time: number): string {
  const clamped = Math.min(Math.max(time, FIRST_TIME), LAST_TIME);
  return new Date(clamped).toISOString().slice(0, 10);
}

/**
 * Returns the days that a date range touches. Absent bounds: until `now` (Unix milliseconds), and 30 days.
 * @throws AppError `VALIDATION_ERROR` for more than 366 days
 */
export function usageDays({ from, to }: DateRange, now: number): DayRange {
  const last = dayOf(to ?? now);
  const first = dayOf(from ?? Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  if ((Date.parse(last) - Date.parse(first)) / DAY_MS >= MAX_USAGE_DAYS)
    throw validationError(`dateRange must span at most ${MAX_USAGE_DAYS} days`);
  return { first, last };
}

/** Returns what a session adds to the usage of its project: one entry for each day. */
export function usageOfSession(
  { days, start_time }: Pick<SessionSummary, 'days' | 'start_time'>,
  isListed: boolean,
): UsageDay[] {
  const usage = days.map(toUsageDay);
  if (!isListed) return usage;
  const startDay = dayOf(start_time);
  const started = usage.find(({ day }) => day === startDay);
  if (started) started.num_sessions = 1;
  else usage.push({ ...NO_USAGE, day: startDay, num_sessions: 1 });
  return usage;
}

/** Writes all counts of a day. */
function toUsageDay({
  day,
  num_events,
  num_model_events,
  num_errors = 0,
  prompt_tokens = 0,
  completion_tokens = 0,
  total_tokens = 0,
  cost = 0,
  unpriced_models = [],
}: SessionSummary['days'][number]): UsageDay {
  const amounts = { prompt_tokens, completion_tokens, total_tokens, cost, unpriced_models };
  return { num_events, num_model_events, num_sessions: 0, num_errors, ...amounts, day };
}

/** Adds usage to a total. */
export function addUsage(total: Usage, added: Usage): void {
  for (const name of USAGE_COUNTS) {
    if (name !== 'cost') total[name] += added[name];
    else total.cost = total.cost === null || added.cost === null ? null : total.cost + added.cost;
  }
  if (added.unpriced_models.length > 0)
    total.unpriced_models = listUnpriced([...total.unpriced_models, ...added.unpriced_models]);
}

const NO_USAGE: Usage = {
  num_events: 0,
  num_model_events: 0,
  num_sessions: 0,
  num_errors: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cost: 0,
  unpriced_models: [],
};

/** Names of all counts. */
export const USAGE_COUNTS = [
  'num_events',
  'num_model_events',
  'num_sessions',
  'num_errors',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cost',
] as const satisfies readonly (keyof Usage)[];

/** Returns usage of which nothing was counted yet. */
export function noUsage(): Usage {
  return { ...NO_USAGE };
}

/** Returns the days in the form of the API, oldest first, with their total. */
export function usageReport(days: Iterable<UsageDay>): { days: UsageDay[]; total: Usage } {
  const sorted = [...days].sort((one, other) => (one.day < other.day ? -1 : 1));
  const total = noUsage();
  for (const day of sorted) addUsage(total, day);
  return { days: sorted, total };
}
