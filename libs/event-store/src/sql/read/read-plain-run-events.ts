import type { JsonObject } from '@assay/domain';
import type { RunEventsQuery, StoredRunEvent } from '../../aggregate-reads.js';
import { Binder } from '../engine/binder.js';
import type { ConcurrentRunner, Query, QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { VERSION_COLUMN } from './event-reader.js';
import { NewestRunEvents, sessionsNamingRuns } from './newest-run-events.js';
import { readFewRows, type RowOfVersion } from './newest-versions.js';
import { RecentValues } from './recent-values.js';
import { byEngineOrder } from './row-key.js';
import { isStoredId } from './stored-id.js';

/** Sessions that are read together. */
const MAX_SESSIONS = 200;
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
  /** A JSON object; empty in rows of a release without metrics. */
  readonly metrics: string;
}

/** A session with a version of an event that names the run. */
interface NamingSession {
  readonly run_id: string;
  readonly session_id: string;
}

/**
 * The sessions that named runs when these were read last. They only say what to read before the present ones are known. Of
 * queries for runs of many sessions or rows only this is known.
 */
export class RunSessions {
  readonly #sessions: RecentValues<readonly string[] | 'many'>;

  /** `capacity`: runs, of which each has at most {@link MAX_SESSIONS} sessions: about 12 KB. */
  constructor(capacity: number) {
    this.#sessions = new RecentValues(capacity);
  }

  /** The sessions of all these runs; undefined when those of one are not known. */
  get(projectId: string, runIds: readonly string[]): readonly string[] | 'many' | undefined {
    if (this.#sessions.get(nameOf(projectId, runIds)) === 'many') return 'many';
    const ofRuns = runIds.map((runId) => this.#sessions.get(nameOf(projectId, [runId])));
    return ofRuns.every((ids) => typeof ids === 'object') ? ofRuns.flat() : undefined;
  }

  /** `naming` is undefined for many sessions or rows. */
  set(projectId: string, runIds: readonly string[], naming: readonly NamingSession[] | undefined): void {
    if (naming === undefined) return this.#sessions.set(nameOf(projectId, runIds), 'many');
    for (const runId of runIds) {
      const ofRun = naming.filter(({ run_id: id }) => id === runId);
      const ids = ofRun.map(({ session_id: id }) => id);
      this.#sessions.set(nameOf(projectId, [runId]), ids);
    }
  }
}

function nameOf(projectId: string, runIds: readonly string[]): string {
  return [projectId, ...runIds].join('/');
}

type RunScope = RunEventsQuery & { readonly projectId: string };

/**
 * Reads the events of runs of a few sessions without `FINAL`: all rows of the sessions, in all versions, of which the newest ones are
 * chosen here. A version that names a run is found by its index; whether the newest one does is known from the rows of its
 * session. Undefined when there are more sessions or rows, or filters, which are conditions of a statement.
 */
export async function readPlainRunEvents(
  runner: ConcurrentRunner,
  { tables, runSessions }: { readonly tables: TableNames; readonly runSessions: RunSessions },
  scope: RunScope,
): Promise<StoredRunEvent[] | undefined> {
  const { projectId, runs, filters, conditions = [] } = scope;
  const listed = [...new Set(runs.flatMap(({ sessionIds }) => sessionIds))].filter(isStoredId);
  const runIds = runs.map(({ runId }) => runId);
  const known = runSessions.get(projectId, runIds);
  const isPlain = filters.length === 0 && conditions.length === 0;
  if (!isPlain || known === 'many' || listed.length > MAX_SESSIONS) return undefined;
  const readRows = (on: QueryRunner, sessionIds: ReadonlySet<string>) =>
    sessionIds.size === 0 ? [] : readFewRows<SessionRow>(on, rowsOf(tables, projectId, [...sessionIds]));
  const readNaming = (on: QueryRunner) => on.query<NamingSession>(namingQuery(tables, scope));
  const expected = new Set([...(known ?? []), ...listed]);
  const [naming, early] =
    known === undefined
      ? [await readNaming(runner.side)]
      : await runner.concurrently(readNaming, async (side) => readRows(side, expected));
  const sessions = new Set([...naming.map(({ session_id: id }) => id), ...listed]);
  const isExpected = known !== undefined && [...sessions].every((id) => expected.has(id));
  const isFew = naming.length <= MAX_SESSIONS;
  const rows = isExpected ? early : isFew ? await readRows(runner.side, sessions) : undefined;
  runSessions.set(projectId, runIds, rows && naming);
  return rows && eventsAmong(rows, scope, listed);
}

/** The statement for the sessions with a version of an event that names one of the runs. */
function namingQuery({ events }: TableNames, { projectId, runs }: RunScope): Query {
  const binder = new Binder();
  const named = `run_id IN ${binder.texts(runs.map(({ runId }) => runId))}`;
  return {
    sql:
      `SELECT DISTINCT run_id, session_id FROM ${events} PREWHERE project_id = ${binder.text(projectId)} AND ${named} ` +
      `LIMIT ${binder.bind(String(MAX_SESSIONS + 1), 'UInt64')}`,
    bindings: binder.bindings,
  };
}

function rowsOf({ events: table }: TableNames, projectId: string, sessionIds: readonly string[]) {
  const binder = new Binder();
  const onKey = `project_id = ${binder.text(projectId)} AND session_id IN ${binder.bind(sessionIds, 'Array(UUID)')}`;
  return { table, columns: COLUMNS, onKey, binder, maxRows: MAX_ROWS };
}

/** The events that name a run, and those of sessions that name one or are listed. */
function eventsAmong(
  rows: readonly SessionRow[],
  { runs, from = -Infinity, to = Infinity }: RunScope,
  listed: readonly string[],
): StoredRunEvent[] {
  const runIds = new Set(runs.map(({ runId }) => runId));
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

function eventOf(row: SessionRow, isSelected: boolean): StoredRunEvent {
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
    satisfied: [],
  };
}
