import { emptyEvent, type Event } from '../events/event.js';
import { redactEvent } from '../events/redact/redact-event.js';
import type { Redaction } from '../events/redact/redaction.js';
import {
  REPORTED_AMOUNTS,
  type DayCount,
  type EventNameCount,
  type ReportedAmount,
  type SessionSummary,
} from './session-summary.js';

declare const redacted: unique symbol;

/**
 * A summary that may leave the data plane. Only {@link redactSessionSummary} returns one, so code that takes this
 * type cannot receive a summary that was not redacted.
 */
export type RedactedSessionSummary = Readonly<SessionSummary> & { readonly [redacted]: true };

/** Summaries hold names cut to this length. Of a longer text, which is no name, no beginning may leave. */
const CUT_LENGTH = 200;

/**
 * Returns the summary as it may leave the data plane: a closed list of fields. What the rules redact in an event is
 * redacted here too: a name becomes empty, and a metric or a run id is left out. Counts and times stay.
 */
export function redactSessionSummary(summary: SessionSummary, redaction: Redaction): RedactedSessionSummary {
  const redactedEvent = (fields: Partial<Event>) => redactEvent({ ...emptyEvent(), ...fields }, redaction);
  const isCut = (text: string) => redaction.allowList !== undefined && text.length >= CUT_LENGTH;
  const nameOf = (text: string) => (isCut(text) ? '' : redactedEvent({ event_name: text }).event_name);
  const { metrics } = redactedEvent({
    metrics: Object.fromEntries(summary.metrics.map(({ name }) => [name, 1])),
  });
  const leaving = redactedEvent({
    metadata: Object.fromEntries(REPORTED_AMOUNTS.map((name) => [name, 1])),
  }).metadata;
  const isRunIdKept = (run_id: string) =>
    redactedEvent({ metadata: { run_id } }).metadata['run_id'] === run_id;
  const result: SessionSummary = {
    session_id: summary.session_id,
    session_name: nameOf(summary.session_name),
    source: isCut(summary.source) ? '' : redactedEvent({ source: summary.source }).source,
    start_time: summary.start_time,
    end_time: summary.end_time,
    duration: summary.duration,
    num_events: summary.num_events,
    num_model_events: summary.num_model_events,
    num_tool_events: summary.num_tool_events,
    num_chain_events: summary.num_chain_events,
    num_errors: summary.num_errors,
    event_names: withoutRepeats(
      summary.event_names.map(({ event_type, event_name, count }) => ({
        event_type,
        event_name: nameOf(event_name),
        count,
      })),
    ),
    metrics: summary.metrics
      .filter(({ name }) => Object.hasOwn(metrics, name) && metrics[name] === 1)
      .map(({ name, count, sum, min, max }) => ({ name, count, sum, min, max })),
    run_ids: summary.run_ids.filter(isRunIdKept),
    days: summary.days.map((day) => redactedDay(day, (name) => leaving[name] === 1)),
  };
  return result as RedactedSessionSummary;
}

/** @param leaves whether an amount, which is under the same name in the metadata of events, may leave */
function redactedDay(day: DayCount, leaves: (name: ReportedAmount) => boolean): DayCount {
  const { num_errors } = day;
  const amounts = REPORTED_AMOUNTS.flatMap((name) => {
    const amount = day[name];
    return amount === undefined || !leaves(name) ? [] : [[name, amount] as const];
  });
  return {
    day: day.day,
    num_events: day.num_events,
    num_model_events: day.num_model_events,
    ...(num_errors !== undefined && { num_errors }),
    ...Object.fromEntries(amounts),
  };
}

/** Adds up names that are equal after they were redacted. */
function withoutRepeats(names: readonly EventNameCount[]): EventNameCount[] {
  const counts = new Map<string, EventNameCount>();
  for (const one of names) {
    const key = `${one.event_type}/${one.event_name}`;
    counts.set(key, { ...one, count: one.count + (counts.get(key)?.count ?? 0) });
  }
  return [...counts.values()];
}
