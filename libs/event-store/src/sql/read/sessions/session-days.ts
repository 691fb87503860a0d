import { listUnpriced, plainModelName } from '@assay/domain';
import { SUMMARY_LIMITS, type DayCount } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { AMOUNTS, modelAmounts, unpricedModels } from './rollup-query.js';
import { readOfSessions } from './read-of-sessions.js';
import { ofSessions } from '../rows/of-sessions.js';
import { type DayAmounts, type SessionsScope } from './session-groups-query.js';

interface SessionDayRow {
  readonly session: string;
  readonly day: string;
  readonly num_events: number;
  readonly num_model_events: number;
  readonly num_errors: number;
  readonly amounts: DayAmounts;
  readonly unpriced_models: readonly string[];
}

/**
 * Returns the newest days of sessions, newest first, by session id; a session without events is absent. Amounts that
 * are not in the index are read from the stored text.
 */
export async function readSessionDays(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DayCount[]>> {
  const found = new Map<string, DayCount[]>();
  const read = readOfSessions(sessionIds, {
    maxRowsOfSession: SUMMARY_LIMITS.days,
    read: (ids, limit) =>
      engine.query<SessionDayRow>(daysQuery(tables, { projectId, sessionIds: ids, limit })),
  });
  for await (const rows of read) {
    for (const row of rows) {
      const ofSession = found.get(row.session) ?? [];
      found.set(row.session, ofSession);
      ofSession.push(toDayCount(row));
    }
  }
  return found;
}

function daysQuery(tables: TableNames, { projectId, sessionIds, limit }: SessionsScope): Query {
  const binder = new Binder();
  const newest =
    `SELECT session_id, start_at, event_type, error, metadata, nums, attrs, complete, is_deleted FROM ${tables.events} ` +
    `PREWHERE ${ofSessions(tables, { projectId, sessionIds }, binder)} ORDER BY session_id, start_hour, event_id, ver DESC, is_deleted DESC ` +
    'LIMIT 1 BY session_id, start_hour, event_id';
  const facts =
    `SELECT session_id, start_at, event_type, error, ${modelAmounts('text', binder).join(', ')} FROM (${newest}) ` +
    `WHERE is_deleted = 0 AND event_type != 'session'`;
  const sql =
    `SELECT toString(session_id) AS session, toString(toDate(start_at)) AS day, count() AS num_events, ` +
    `countIf(event_type = 'model') AS num_model_events, countIf(isNotNull(error)) AS num_errors, ` +
    `(${AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}) AS amounts, ${unpricedModels()} AS unpriced_models FROM (${facts}) ` +
    `GROUP BY session_id, day ORDER BY session_id, day DESC LIMIT ${SUMMARY_LIMITS.days} BY session_id LIMIT ${limit}`;
  return { sql, bindings: binder.bindings };
}

/** Returns a day in the form of the store. */
export function toDayCount(row: Omit<SessionDayRow, 'session'>): DayCount {
  const [cost, promptTokens, completionTokens, totalTokens] = row.amounts;
  const models = listUnpriced(row.unpriced_models.map((model) => plainModelName(model)));
  return {
    day: row.day,
    events: row.num_events,
    modelEvents: row.num_model_events,
    errors: row.num_errors,
    promptTokens,
    completionTokens,
    totalTokens,
    cost: models.length === 0 ? cost : null,
    unpricedModels: models,
  };
}
