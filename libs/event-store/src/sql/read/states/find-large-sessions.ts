import type { EventKey, WrittenQuery } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface SessionKeyRow {
  readonly project_id: string;
  readonly session: string;
}

/** Returns the sessions with many rows that have one with a version in one of the ranges. */
export async function readLargeSessionsWritten(
  runner: QueryRunner,
  { events }: TableNames,
  { versions, minRows }: WrittenQuery,
): Promise<EventKey[]> {
  if (versions.length === 0) return [];
  const binder = new Binder();
  const inRange = versions.map(
    ({ from, to }) => `(ver >= ${binder.bind(from, 'UInt64')} AND ver < ${binder.bind(to, 'UInt64')})`,
  );
  const written = `SELECT project_id, session_id FROM ${events} WHERE ${inRange.join(' OR ')}`;
  const sql =
    `SELECT project_id, toString(session_id) AS session FROM ${events} WHERE (project_id, session_id) IN (${written}) ` +
    `GROUP BY project_id, session_id HAVING count() >= ${binder.bind(minRows, 'UInt64')}`;
  const rows = await runner.query<SessionKeyRow>({ sql, bindings: binder.bindings });
  return rows.map(({ project_id: projectId, session: eventId }) => ({ projectId, eventId }));
}
