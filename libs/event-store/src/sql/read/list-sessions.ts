import type { SessionPosition, SessionQuery } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { exactScope } from './scope.js';

interface PositionRow {
  readonly session: string;
  readonly start_time: number;
}

/** Returns a page of sessions, newest start first. */
export async function readSessionPage(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  { from, to, source, runId, after, limit }: SessionQuery,
): Promise<SessionPosition[]> {
  const binder = new Binder();
  const until = Math.min(to ?? Infinity, after?.startTime ?? Infinity);
  const scope = { projectId, from, to: Number.isFinite(until) ? until : undefined };
  const where = [...exactScope(scope, binder), `event_type = 'session'`];
  if (source !== undefined) where.push(`source = ${binder.text(source)}`);
  if (after !== undefined) {
    const start = binder.number(after.startTime);
    const id = binder.text(after.sessionId);
    where.push(`(start_time < ${start} OR toString(event_id) < ${id})`);
  }
  if (runId !== undefined) {
    const ofRun = `project_id = ${binder.text(projectId)} AND run_id = ${binder.text(runId)}`;
    where.push(`session_id IN (SELECT session_id FROM ${tables.events} FINAL WHERE ${ofRun})`);
  }
  const sql =
    `SELECT toString(event_id) AS session, start_time FROM ${tables.events} FINAL WHERE ${where.join(' AND ')} ` +
    `ORDER BY start_time DESC, session DESC LIMIT ${binder.bind(limit, 'UInt64')}`;
  const rows = await runner.query<PositionRow>({ sql, bindings: binder.bindings });
  return rows.map((row) => ({ startTime: row.start_time, sessionId: row.session }));
}
