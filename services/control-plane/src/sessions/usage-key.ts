import {
  type DayCount,
  type SessionSummary,
  type UsageDay,
  USAGE_COUNTS,
  usageOfSession,
} from '@assay/domain';

/**
 * What an index entry tells of a session: its usage, if it is on one day, or else the days between which its document
 * has to be read.
 */
export type IndexedUsage = { readonly usage: UsageDay } | { readonly first: string };

const [ONE_DAY, SEVERAL_DAYS] = ['d', 'm'];
/** Follows the separator in the order of texts. */
const AFTER_SEPARATOR = '-';
/** Stands for an unknown cost in a key; the models without a price follow the counts. */
const UNKNOWN_COST = 'null';
/** Longer lists of models are read from the document, because stores bound the length of index keys. */
const MAX_MODELS_LENGTH = 400;

/**
 * Returns the text under which the usage of a session is indexed; null for a session without any. It contains the
 * usage of a session on one day, so that most usage is added up from the index alone. Several sessions can have
 * the same key; keys of earlier releases end with the session id.
 */
export function usageKey(
  summary: Pick<SessionSummary, 'session_id' | 'days' | 'start_time'>,
  isListed: boolean,
): string | null {
  const usage = usageOfSession(summary, isListed);
  const days = usage.map(({ day }) => day).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined) return null;
  const [only] = usage;
  const models = only ? writeModels(only) : '';
  if (usage.length === 1 && only && models.length <= MAX_MODELS_LENGTH)
    return [ONE_DAY, first, ...USAGE_COUNTS.map((name) => only[name] ?? UNKNOWN_COST), models].join();
  return [SEVERAL_DAYS, last, first].join();
}

/** Returns whether the key of a session with these days contains all counts of its only day, so that they can be read from it. */
export function isDayInKey([day, ...others]: readonly DayCount[], key: string | null): boolean {
  if (day === undefined || others.length > 0 || key?.startsWith(`${ONE_DAY},`) !== true) return false;
  const isWritten = (name: (typeof USAGE_COUNTS)[number]) =>
    name === 'num_sessions' || (day[name] !== undefined && !Number.isNaN(day[name]));
  return day.num_events !== 0 && USAGE_COUNTS.every(isWritten);
}

/** Returns the ranges of keys that can concern these days. */
export function usageKeyRanges({ first, last }: { readonly first: string; readonly last: string }) {
  return [
    { from: `${ONE_DAY},${first}`, to: `${ONE_DAY},${last}${AFTER_SEPARATOR}` },
    { from: `${SEVERAL_DAYS},${first}`, to: `${SEVERAL_DAYS}${AFTER_SEPARATOR}` },
  ];
}

/** Reads a key of {@link usageKey}. */
export function readUsageKey(key: string): IndexedUsage {
  const [kind, day = '', ...rest] = key.split(',');
  if (kind === SEVERAL_DAYS) return { first: rest[0] ?? '' };
  const isUnknown = (index: number) => rest[index] === UNKNOWN_COST;
  const counts = USAGE_COUNTS.map((name, index) => [name, isUnknown(index) ? null : Number(rest[index])]);
  const isPriced = !isUnknown(USAGE_COUNTS.indexOf('cost'));
  const unpriced_models = isPriced ? [] : readModels(rest[USAGE_COUNTS.length]);
  return { usage: { day, ...Object.fromEntries(counts), unpriced_models } as UsageDay };
}

function writeModels({ unpriced_models: models }: UsageDay): string {
  return models.length === 0 ? '' : Buffer.from(JSON.stringify(models)).toString('base64url');
}

function readModels(written = ''): string[] {
  return written === '' ? [] : (JSON.parse(Buffer.from(written, 'base64url').toString()) as string[]);
}
