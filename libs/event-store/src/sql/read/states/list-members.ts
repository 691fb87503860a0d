import { visible } from '../rows/visible.js';
import type { EventKey, SessionMembers } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { ofEvents } from '../rows/of-events.js';
import { ofSessions } from '../rows/of-sessions.js';
import { isStoredId } from '../rows/stored-id.js';

interface IdRow {
  readonly event: string;
}

/** Returns a page of the events that have, or had, a row in the session and are visible in no other. */
export async function readSessionMembers(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, eventId: sessionId }: EventKey,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<SessionMembers> {
  if (!isStoredId(sessionId)) return { eventIds: [] };
  const binder = new Binder();
  const where = [
    ofSessions(tables, { projectId, sessionIds: [sessionId] }, binder),
    ...(after === undefined ? [] : [`event_id > ${binder.bind(after, 'UUID')}`]),
  ];
  const rows = await runner.query<IdRow>({
    sql:
      `SELECT toString(event_id) AS event FROM ${tables.events} WHERE ${where.join(' AND ')} ` +
      `GROUP BY event_id ORDER BY event_id LIMIT ${binder.bind(limit, 'UInt64')}`,
    bindings: binder.bindings,
  });
  const ids = rows.map(({ event }) => event);
  const elsewhere = await visibleElsewhere(runner, tables, { projectId, sessionId, ids });
  return {
    eventIds: ids.filter((id) => !elsewhere.has(id)),
    ...(ids.length === limit && { next: ids.at(-1) }),
  };
}

async function visibleElsewhere(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, sessionId, ids }: { projectId: string; sessionId: string; ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const binder = new Binder();
  const onKey = `${ofEvents(tables, { projectId, eventIds: ids }, binder)} AND session_id != ${binder.bind(sessionId, 'UUID')}`;
  const sql = `SELECT toString(event_id) AS event FROM ${visible(tables.events)} PREWHERE ${onKey}`;
  const rows = await runner.query<IdRow>({ sql, bindings: binder.bindings });
  return new Set(rows.map(({ event }) => event));
}
