import { addCosts } from '@assay/domain';
import { SUMMARY_LIMITS, type DayCount, type SessionSummary } from '../../../event-store.js';
import { toDayCount } from './session-days.js';
import type { SessionGroupRow } from './session-groups-query.js';

/** Returns whether a visible row of a session has metrics, which its groups do not contain. */
export function haveMetrics(groups: readonly SessionGroupRow[]): boolean {
  return groups.some(({ hidden, num_with_metrics }) => hidden === 0 && num_with_metrics > 0);
}

/** Returns whether the amounts of the days of a session are not in its groups. */
export function lackAmounts(groups: readonly SessionGroupRow[]): boolean {
  return groups.some(({ hidden, num_incomplete }) => hidden === 0 && num_incomplete > 0);
}

/** Returns the summary of a session, without metrics, from all its groups. */
export function foldSessionGroups(groups: readonly SessionGroupRow[]): SessionSummary {
  const visible = groups.filter(({ hidden }) => hidden === 0);
  const events = visible.filter(({ type }) => type !== 'session');
  const ofType = (wanted: string) => events.filter(({ type }) => type === wanted);
  const [numEvents, numModelEvents] = [rowsOf(events), rowsOf(ofType('model'))];
  const numToolEvents = rowsOf(ofType('tool'));
  return {
    watermark: String(groups.reduce((sum, { versions }) => sum + BigInt(versions), 0n)),
    rows: rowsOf(groups),
    session: ownRow(visible),
    numEvents,
    numModelEvents,
    numToolEvents,
    numChainEvents: numEvents - numModelEvents - numToolEvents,
    numErrors: events.reduce((sum, { num_errors }) => sum + num_errors, 0),
    ...(numEvents > 0 && timesOf(events)),
    names: namesOf(events),
    metrics: [],
    runIds: runIdsOf(visible),
    days: daysOf(events),
  };
}

function rowsOf(groups: readonly SessionGroupRow[]): number {
  return groups.reduce((sum, { num_rows }) => sum + num_rows, 0);
}

function ownRow(visible: readonly SessionGroupRow[]): SessionSummary['session'] {
  const [own] = visible
    .filter(({ type }) => type === 'session')
    .sort((one, other) => other.newest[0] - one.newest[0]);
  if (!own) return undefined;
  const [, source, startTime, endTime, origin] = own.newest;
  return { name: own.name, source, startTime, endTime, origin };
}

function timesOf(events: readonly SessionGroupRow[]) {
  const ends = events.flatMap(({ last_end }) => last_end ?? []);
  return {
    firstStart: Math.min(...events.map(({ first_start }) => first_start)),
    lastEnd: ends.length > 0 ? Math.max(...ends) : undefined,
  };
}

function namesOf(events: readonly SessionGroupRow[]): SessionSummary['names'] {
  const counts = new Map<string, SessionSummary['names'][number]>();
  for (const { type: eventType, name: eventName, num_rows } of events) {
    const key = `${eventType} ${eventName}`;
    counts.set(key, { eventType, eventName, count: (counts.get(key)?.count ?? 0) + num_rows });
  }
  return [...counts.values()]
    .sort(
      (one, other) =>
        other.count - one.count ||
        compareBytes(one.eventName, other.eventName) ||
        compareBytes(one.eventType, other.eventType),
    )
    .slice(0, SUMMARY_LIMITS.names);
}

function runIdsOf(visible: readonly SessionGroupRow[]): string[] {
  const ids = new Set(visible.flatMap(({ run }) => (run === '' ? [] : run)));
  return [...ids].sort(compareBytes).slice(0, SUMMARY_LIMITS.runIds);
}

function daysOf(events: readonly SessionGroupRow[]): SessionSummary['days'] {
  const days = new Map<string, DayCount>();
  for (const group of events) {
    const { day, type, num_rows, num_errors, amounts, unpriced_models } = group;
    const num_model_events = type === 'model' ? num_rows : 0;
    const counts = { num_events: num_rows, num_model_events, num_errors };
    const added = toDayCount({ day, ...counts, amounts, unpriced_models });
    const earlier = days.get(day);
    days.set(day, earlier ? sumOf(earlier, added) : added);
  }
  return [...days.values()]
    .sort((one, other) => compareBytes(other.day, one.day))
    .slice(0, SUMMARY_LIMITS.days);
}

function sumOf(one: DayCount, other: DayCount): DayCount {
  return {
    day: one.day,
    events: one.events + other.events,
    modelEvents: one.modelEvents + other.modelEvents,
    errors: one.errors + other.errors,
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    ...addCosts(one, other),
  };
}

/** The order of texts in the engine. */
function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
