import { matchesFilters, withTotals, type Event, type Filter, type RunEvent } from '@assay/domain';
import type { RunEventsQuery } from '../../../aggregates-port.js';
import type { QueryRunner } from '../../engine/engine.js';
import { separateFilters } from '../../filter/session-fields.js';
import type { TableNames } from '../../schema/topology.js';
import { assertCountable } from '../sessions/matching-sessions.js';
import { readRollups } from '../sessions/roll-up-sessions.js';
import { readSessionRows } from '../sessions/read-session-rows.js';

/**
 * Applies the filters on usage (tokens and cost) to the sessions among the events of runs. Their usage is counted over
 * the trees of their events, which the statement for the events of runs does not do.
 * @throws AppError `VALIDATION_ERROR` when more than 10,000 sessions satisfy the other filters
 */
export async function withSessionUsage(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, filters, conditions = [] }: RunEventsQuery & { readonly projectId: string },
  events: readonly RunEvent[],
): Promise<readonly RunEvent[]> {
  const selecting = separateFilters(filters).usage;
  const byComposite = new Map<string, readonly Filter[]>();
  for (const { composites, filters: all } of conditions) {
    const { usage } = separateFilters(all);
    if (usage.length > 0) for (const name of composites) byComposite.set(name, usage);
  }
  if (selecting.length === 0 && byComposite.size === 0) return events;
  const isAsked = ({ isSelected, composites }: RunEvent) =>
    (isSelected && selecting.length > 0) || composites.some((name) => byComposite.has(name));
  const asked = events.filter((event) => event.eventType === 'session' && isAsked(event));
  assertCountable(asked.length);
  const sessions = await readSessions(runner, tables, projectId, asked);
  const holds = (session: Event | undefined, usage: readonly Filter[]) =>
    usage.length === 0 || (session !== undefined && matchesFilters(session, usage));
  return events.map((event) => {
    if (event.eventType !== 'session') return event;
    const session = sessions.get(event.eventId);
    const isSelected = event.isSelected && holds(session, selecting);
    const composites = event.composites.filter((name) => holds(session, byComposite.get(name) ?? []));
    return { ...event, isSelected, composites, metrics: isSelected ? event.metrics : {} };
  });
}

/** Sessions as they are answered, by id. */
async function readSessions(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  events: readonly RunEvent[],
): Promise<ReadonlyMap<string, Event>> {
  const ids = events.map(({ eventId }) => eventId);
  const rows = await readSessionRows(runner, tables, projectId, ids);
  const totals = await readRollups(runner, tables, projectId, ids);
  return new Map(rows.map((row) => [row.event_id, withTotals(row, totals.get(row.session_id))]));
}
