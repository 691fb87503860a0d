import { compareInstants, durationBetween, toMilliseconds } from '../codec/instants.js';
import type { Instant, Span } from '../messages.js';

export interface SpanTimes {
  readonly start_time: number;
  readonly end_time: number | null;
  readonly duration: number | null;
  /** The span has no start time. */
  readonly estimated: boolean;
}

/**
 * Times of an event in Unix milliseconds with a fraction. A span without an end is unfinished. A span that
 * ends before it starts keeps both times and has duration 0. A missing start is replaced by the end, else the
 * first span event, else the time of receipt.
 */
export function timesOf(span: Span, receivedAt: number): SpanTimes {
  const { start, end } = span;
  const estimated = start === undefined;
  const from = start ?? end ?? firstEvent(span);
  const startTime = from === undefined ? receivedAt : toMilliseconds(from);
  if (end === undefined) return { start_time: startTime, end_time: null, duration: null, estimated };
  return {
    start_time: startTime,
    end_time: toMilliseconds(end),
    duration: durationBetween(from ?? end, end),
    estimated,
  };
}

function firstEvent(span: Span): Instant | undefined {
  return span.events.map((event) => event.time).sort(compareInstants)[0];
}
