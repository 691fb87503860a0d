import { excludeSessions, matchesFilters, withTotals, type Event } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { QueryRunner, Query } from '../../engine/engine.js';
import type { SessionUsage } from '../../filter/derived-values.js';
import { knowJsonForms } from '../../filter/json-forms.js';
import { COST_FIELD, separateFilters, UNPRICED_FIELD, usageName } from '../../filter/session-fields.js';
import type { TableNames } from '../../schema/topology.js';
import { EVENT_READER, type StoredRow } from '../rows/event-reader.js';
import { readRollups } from './roll-up-sessions.js';
import type { MatchingRows } from '../rows/matching-rows.js';
import { matchingRows } from '../rows/matching-rows.js';
import { Binder } from '../../engine/binder.js';
import { KEY_COLUMNS } from '../rows/row-key.js';

/** Sessions whose usage one request counts. */
const MAX_SESSIONS = 10_000;

/** @throws AppError `VALIDATION_ERROR` for more than 10,000 sessions, whose usage is not counted */
export function assertCountable(sessions: number): void {
  if (sessions > MAX_SESSIONS)
    throw validationError(
      `tokens and cost are counted for at most ${MAX_SESSIONS} sessions: narrow dates or filters, or filter by event_type`,
    );
}

/**
 * Returns the ids of the sessions that match a search with filters on usage (tokens and cost), which is counted
 * over the trees of their events; undefined when the search has no such filter.
 * @throws AppError `VALIDATION_ERROR` when the other filters leave more than 10,000 sessions
 */
export async function readMatchingSessions(
  runner: QueryRunner,
  tables: TableNames,
  search: MatchingRows,
): Promise<readonly string[] | undefined> {
  await knowJsonForms(search.query.filters);
  const { usage } = separateFilters(search.query.filters);
  if (usage.length === 0) return undefined;
  const sessions = await readSessions(runner, tables, search);
  return sessions
    .filter(({ completed }) => matchesFilters(completed, usage))
    .map(({ completed }) => completed.event_id);
}

/**
 * Returns the usage of the sessions among the rows of a search, for a statement that sorts by it, groups by it or adds it
 * up; undefined when no field is usage, or when the filters exclude sessions.
 * @throws AppError `VALIDATION_ERROR` when the filters leave more than 10,000 sessions
 */
export async function readSessionUsage(
  runner: QueryRunner,
  tables: TableNames,
  search: MatchingRows,
  fields: readonly (string | undefined)[],
): Promise<SessionUsage | undefined> {
  const asked = new Set(fields.filter((field) => field !== undefined && usageName(field) !== undefined));
  if (asked.size === 0 || excludeSessions(search.query.filters)) return undefined;
  const sessions = await readSessions(runner, tables, search);
  const valuesOf = (field: string) => sessions.map((session) => derivedText(session, usageName(field) ?? ''));
  const values = new Map([...asked].map((field = '') => [field, valuesOf(field)]));
  if (asked.has(COST_FIELD)) values.set(UNPRICED_FIELD, sessions.map(unpricedText));
  return { eventIds: sessions.map(({ completed }) => completed.event_id), values };
}

/** A session as it is stored, without its payload, and as responses contain it. */
interface CompletedSession {
  readonly stored: Event;
  readonly completed: Event;
}

async function readSessions(
  runner: QueryRunner,
  tables: TableNames,
  search: MatchingRows,
): Promise<readonly CompletedSession[]> {
  const rows = await runner.query<StoredRow>(sessionsQuery(tables, search, MAX_SESSIONS + 1));
  assertCountable(rows.length);
  // Payloads are not read: usage is not among them.
  const sessions = rows.map((row) => EVENT_READER.read(row, row));
  const ids = sessions.map((session) => session.session_id);
  const totals = await readRollups(runner, tables, search.projectId, ids);
  return sessions.map((stored) => ({ stored, completed: withTotals(stored, totals.get(stored.session_id)) }));
}

function derivedText({ stored, completed }: CompletedSession, name: string): string {
  const isOwn = (stored.metadata[name] ?? null) !== null;
  const value = completed.metadata[name];
  return !isOwn && typeof value === 'number' ? String(value) : '';
}

/** The models of a session whose cost is unknown, as JSON; empty for every other session. */
function unpricedText({ completed: { metadata } }: CompletedSession): string {
  const { cost, unpriced_models: models } = metadata;
  return cost === null && models !== undefined ? JSON.stringify(models) : '';
}

/** Rows of at most `limit` sessions that match. Filters on usage are decided by `sessionIds` alone. */
export function sessionsQuery(tables: TableNames, search: MatchingRows, limit: number): Query {
  const binder = new Binder();
  const { names, source } = matchingRows(tables, search, binder);
  const columns = `${KEY_COLUMNS}, ${EVENT_READER.narrowColumns}`;
  return {
    sql: `${names}SELECT ${columns} ${source} AND event_type = 'session' LIMIT ${binder.bind(limit, 'UInt64')}`,
    bindings: binder.bindings,
  };
}
