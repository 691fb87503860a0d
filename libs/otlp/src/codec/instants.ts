import type { Instant } from '../messages.js';

const NS_PER_MS = 1_000_000;
/** Last millisecond of an unsigned 64-bit number of nanoseconds (the year 2554). */
const MAX_MS = 18_446_744_073_709;

/**
 * Joins the halves of a fixed64 of nanoseconds without rounding. 2^32 ns are 4,294 ms and 967,296 ns. Zero is
 * "not set".
 */
export function instantFromHalves(low: number, high: number): Instant | undefined {
  if (low === 0 && high === 0) return undefined;
  const rest = high * 967_296 + low;
  return { ms: high * 4_294 + Math.floor(rest / NS_PER_MS), ns: rest % NS_PER_MS };
}

/**
 * Reads nanoseconds since the epoch as JSON writes them: a decimal text, a number, `{low, high}` of an old encoder, or ISO-8601.
 *
 * @returns undefined when the time is missing or zero, 'invalid' when it cannot be read
 */
export function readInstant(value: unknown): Instant | undefined | 'invalid' {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return fromText(value);
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'object') return 'invalid';
  const { low, high } = value as { low?: unknown; high?: unknown };
  if (!Number.isInteger(low) || !Number.isInteger(high)) return 'invalid';
  return instantFromHalves((low as number) >>> 0, (high as number) >>> 0);
}

function fromText(text: string): Instant | undefined | 'invalid' {
  if (!/^\d+$/.test(text)) return fromIso(text);
  const ms = Number(text.slice(0, -6));
  const ns = Number(text.slice(-6));
  if (ms > MAX_MS) return 'invalid';
  return ms === 0 && ns === 0 ? undefined : { ms, ns };
}

/** The shortest decimal text of the number is closer to the sender's value than its 53 bits are. */
function fromNumber(value: number): Instant | undefined | 'invalid' {
  return value >= 0 && value < 1e20 ? fromText(String(Math.trunc(value))) : 'invalid';
}

function fromIso(text: string): Instant | undefined | 'invalid' {
  const parts = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,9}))?\d*(?:Z|[+-]\d\d:?\d\d)?$/.exec(text);
  const ms = parts ? Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`) : NaN;
  if (!(ms > 0) || ms > MAX_MS) return 'invalid';
  return { ms, ns: Number((parts?.[1] ?? '').padEnd(9, '0').slice(3)) };
}

/** Milliseconds with a fraction. A double represents the current epoch to about 0.0002 ms. */
export function toMilliseconds(instant: Instant): number {
  return instant.ms + instant.ns / NS_PER_MS;
}

/** Milliseconds from start to end, computed from the nanoseconds without rounding; never negative. */
export function durationBetween(start: Instant, end: Instant): number {
  const ns = (end.ms - start.ms) * NS_PER_MS + (end.ns - start.ns);
  return Math.max(0, ns / NS_PER_MS);
}

/** Nanoseconds as one 64-bit value, for ordering. */
export function compareInstants(a: Instant | undefined, b: Instant | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return a.ms - b.ms || a.ns - b.ns;
}
