import type { JsonObject, RunEvent } from '@assay/domain';
import type { RunEventsQuery } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { ConcurrentRunner, Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { VERSION_COLUMN } from '../rows/event-reader.js';
import { NewestRunEvents, sessionsNamingRuns } from './newest-run-events.js';
import { readFewRows, type RowOfVersion } from '../rows/newest-versions.js';
import { byEngineOrder } from '../rows/row-key.js';
import { isStoredId } from '../rows/stored-id.js';
import { groundTruthFlag } from './run-events-query.js';
import type { Hints } from '../hints/hints.js';
import { MAX_SESSIONS, type NamingSession } from '../hints/run-sessions.js';

/** Known sessions of several runs that are read together: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
const MAX_EXPECTED = 2 * MAX_SESSIONS;
/** Rows of these sessions, in all versions. */
const MAX_ROWS = 2_000;

const COLUMNS = `event_name, event_type, start_time, run_id, datapoint_id, isNotNull(error) AS is_failed, metrics, ${VERSION_COLUMN}`;

/** A row of an event of the sessions. */
interface SessionRow extends RowOfVersion {
  readonly event_name: string;
  readonly event_type: string;
  /** Unix milliseconds. */
  readonly start_time: number;
  readonly run_id: string;
  readonly datapoint_id: string;
  /** 1 or 0. */
  readonly is_failed: number;
  /** 1 when it may have a ground truth, otherwise 0. */
  readonly has_truth: number;
  /** A JSON object; empty in rows of a release without metrics. */
  readonly metrics: string;
}

type RunScope = RunEventsQuery & { readonly projectId: string };

/** What reads of runs need besides the engine. */
export interface RunReads {
  readonly tables: TableNames;
  readonly hints: Pick<Hints, 'runSessions'>;
  /** Whether the engine looks up both sides of an `OR` in their indexes. */
  readonly looksUpEither: boolean;
}

/**
 * Reads the events of runs of a few sessions without `FINAL`: all rows of the sessions, in all versions, of which the newest ones are
 * chosen here. A version that names a run is found by its index; whether the newest one does is known from the rows of its
 * session. Undefined when there are more sessions or rows, or filters, which are conditions of a statement.
 */
export async function readPlainRunEvents(
  runner: ConcurrentRunner,
  reads: RunReads,
  scope: RunScope,
): Promise<RunEvent[] | undefined> {
  const { projectId, runs, filters, conditions = [] } = scope;
  const listed = [...new Set(runs.flatMap(({ sessionIds }) => sessionIds))].filter(isStoredId);
  const known = reads.hints.runSessions.get(projectId, idsOf(runs));
  const isPlain = filters.length === 0 && conditions.length === 0;
  if (!isPlain || known === 'many' || listed.length > MAX_SESSIONS) return undefined;
  const sessions = { listed, known, expected: new Set([...(known ?? []), ...listed]) };
  if (sessions.expected.size > MAX_EXPECTED) return undefined;
  const rows =
    known !== undefined && reads.looksUpEither
      ? await readKnownRuns(runner.side, reads, scope, sessions)
      : await readNamedSessions(runner, reads, scope, sessions);
  return rows && eventsAmong(rows, scope, listed);
}

/** The sessions of runs before these are read. */
interface ExpectedSessions {
  readonly listed: readonly string[];
  /** Those that named the runs when they were read before; undefined when they were not. */
  readonly known: readonly string[] | undefined;
  readonly expected: ReadonlySet<string>;
}

/**
 * Reads in one statement the rows of the expected sessions, and the versions of others that name one of the runs. Rows of
 * sessions that joined are read afterwards. Undefined as for {@link readPlainRunEvents}.
 */
async function readKnownRuns(
  runner: QueryRunner,
  { tables, hints: { runSessions } }: RunReads,
  scope: RunScope,
  { expected }: ExpectedSessions,
): Promise<readonly SessionRow[] | undefined> {
  const { projectId, runs } = scope;
  const found = await readRows(runner, tables, scope, { sessionIds: expected, withNaming: true });
  const joined = (found ?? []).filter((row) => !expected.has(row.key_session));
  const sessionIds = new Set([...expected, ...joined.map((row) => row.key_session)]);
  const rows = joined.length === 0 ? found : await readRows(runner, tables, scope, { sessionIds });
  const naming = joined.map((row) => ({ run_id: row.run_id, session_id: row.key_session }));
  if (rows) runSessions.add(projectId, naming);
  else runSessions.set(projectId, idsOf(runs), undefined);
  return rows;
}

/**
 * Reads the sessions that name the runs, then their rows; if they are known, those of the expected sessions concurrently.
 * Undefined as for {@link readPlainRunEvents}.
 */
async function readNamedSessions(
  runner: ConcurrentRunner,
  { tables, hints: { runSessions } }: RunReads,
  scope: RunScope,
  { listed, known, expected }: ExpectedSessions,
): Promise<readonly SessionRow[] | undefined> {
  const readNaming = (on: QueryRunner) => on.query<NamingSession>(namingQuery(tables, scope));
  const [naming, early] =
    known === undefined
      ? [await readNaming(runner.side)]
      : await runner.concurrently(readNaming, (side) =>
          readRows(side, tables, scope, { sessionIds: expected }),
        );
  const sessionIds = new Set([...naming.map(({ session_id: id }) => id), ...listed]);
  const isExpected = known !== undefined && [...sessionIds].every((id) => expected.has(id));
  const read = () => (isExpected ? early : readRows(runner.side, tables, scope, { sessionIds }));
  const rows = naming.length <= MAX_SESSIONS ? await read() : undefined;
  runSessions.set(scope.projectId, idsOf(scope.runs), rows && naming);
  return rows;
}

function idsOf(runs: RunScope['runs']): string[] {
  return runs.map(({ runId }) => runId);
}

/** The statement for the sessions with a version of an event that names one of the runs. */
function namingQuery({ events }: TableNames, { projectId, runs }: RunScope): Query {
  const binder = new Binder();
  const named = `run_id IN ${binder.texts(idsOf(runs))}`;
  return {
    sql:
      `SELECT DISTINCT run_id, session_id FROM ${events} PREWHERE project_id = ${binder.text(projectId)} AND ${named} ` +
      `LIMIT ${binder.bind(String(MAX_SESSIONS + 1), 'UInt64')}`,
    bindings: binder.bindings,
  };
}

/** Which rows to read: those of sessions, and with `withNaming` the versions of others that name one of the runs. */
interface SessionRows {
  readonly sessionIds: ReadonlySet<string>;
  readonly withNaming?: boolean;
}

/** Rows in their newest version; undefined when they are many, or two versions of one are equal. */
async function readRows(
  runner: QueryRunner,
  { events: table }: TableNames,
  scope: RunScope,
  { sessionIds, withNaming = false }: SessionRows,
): Promise<SessionRow[] | undefined> {
  if (sessionIds.size === 0 && !withNaming) return [];
  const { projectId, runs } = scope;
  const binder = new Binder();
  const project = `project_id = ${binder.text(projectId)}`;
  const ofSessions = `session_id IN ${binder.bind([...sessionIds], 'Array(UUID)')}`;
  const found = withNaming ? `(${ofSessions} OR run_id IN ${binder.texts(idsOf(runs))})` : ofSessions;
  const onKey = `${project} AND ${found}`;
  const columns = `${COLUMNS}, ${groundTruthFlag(scope)} AS has_truth`;
  return readFewRows<SessionRow>(runner, { table, columns, onKey, binder, maxRows: MAX_ROWS });
}

/** The events that name a run, and those of sessions that name one or are listed. */
function eventsAmong(
  rows: readonly SessionRow[],
  { runs, from = -Infinity, to = Infinity }: RunScope,
  listed: readonly string[],
): RunEvent[] {
  const runIds = new Set(idsOf(runs));
  const sorted = rows.toSorted(byEngineOrder);
  const newest = new NewestRunEvents();
  const add = (row: SessionRow) =>
    newest.put(row.key_event, row.version, () =>
      eventOf(row, row.start_time >= from && row.start_time <= to),
    );
  sorted.filter(({ run_id: id }) => runIds.has(id)).forEach(add);
  const sessions = new Set([...sessionsNamingRuns(newest.events), ...listed]);
  sorted.filter((row) => !runIds.has(row.run_id) && sessions.has(row.key_session)).forEach(add);
  return newest.events;
}

function eventOf(row: SessionRow, isSelected: boolean): RunEvent {
  return {
    eventId: row.key_event,
    sessionId: row.key_session,
    eventName: row.event_name,
    eventType: row.event_type,
    startTime: row.start_time,
    runId: row.run_id,
    datapointId: row.datapoint_id,
    metrics: isSelected && row.metrics !== '' ? (JSON.parse(row.metrics) as JsonObject) : {},
    isSelected,
    hasError: row.is_failed === 1,
    mayHaveGroundTruth: row.has_truth === 1,
    composites: [],
  };
}
