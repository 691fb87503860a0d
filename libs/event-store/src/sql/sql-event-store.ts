import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { Finding } from '@assay/runtime';
import type {
  EventKey,
  EventPage,
  RowLocation,
  EventQuery,
  EventState,
  EventStore,
  IdPage,
  IncompleteRows,
  LogEpoch,
  ChangeFlags,
  DeletedValues,
  LocationPage,
  PageOptions,
  PageStart,
  PurgeLimits,
  PurgeStep,
  QueryLoad,
  QueryOptions,
  RemovalStep,
  RepairReport,
  SessionMembers,
  SessionPosition,
  SessionQuery,
  SessionSummary,
  StartOptions,
  StateKey,
  StoreBatch,
  WholeSession,
  WrittenQuery,
} from '../event-store.js';
import type { ClientRunner, SqlEngine } from './engine/engine.js';
import { Completeness } from './read/states/completeness.js';
import { readEvent } from './read/events/find-event.js';
import { inspectEngine } from './engine/inspect-engine.js';
import { TotalCache } from './read/hints/total-cache.js';
import type { FlaggedIds } from './read/hints/flagged-ids.js';
import { migrate, missingMigrations } from './schema/migrate.js';
import { MAX_MERGE_BYTES } from './schema/merge-limit.js';
import { readIncompleteRows } from './read/states/find-incomplete-rows.js';
import { readLogEpochs } from './read/states/read-log-epochs.js';
import { readStates } from './read/states/read-states.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readStateSizes } from './read/states/measure-states.js';
import { readKnownKeys } from './read/states/read-known-keys.js';
import { readChangeFlags } from './read/states/read-change-flags.js';
import { readRelocatedIds, readRowLocations } from './read/states/row-locations.js';
import { readLargeSessionsWritten } from './read/states/find-large-sessions.js';
import { readSessionMembers } from './read/states/list-members.js';
import { NewestHours } from './read/hints/newest-hours.js';
import { makeEvents } from './read/events/held-events.js';
import { completeHeld } from './read/events/complete-held.js';
import { readPageStart } from './read/events/start-page.js';
import { readSession } from './read/events/read-session.js';
import { searchEvents, type SearchContext } from './read/events/search-events.js';
import { readSessionPage } from './read/sessions/list-sessions.js';
import { readSessionsOfEvents } from './read/states/sessions-of-events.js';
import { readSessionSummaries } from './read/sessions/summarise-sessions.js';
import { runForClient } from './client-query.js';
import type { AggregateReadsContext } from './sql-aggregate-reads.js';
import type { SqlEventStoreOptions } from './sql-event-store-options.js';
import { SqlEvaluations, type EvaluationsContext } from './sql-evaluations.js';
import { QueryQueue } from './query-queue.js';
import { checkTopology, tableNames, type TableNames, type Topology } from './schema/topology.js';
import { purgeDeletedStep, readDeletedValues } from './purge/purge-deleted.js';
import { readProjectIds, removeProjectStep } from './write/remove-project.js';
import { persistentRows, repairRows } from './write/repair-rows.js';
import { writeBatch } from './write/write-batch.js';
import { writeLogEpoch } from './write/write-log-epoch.js';

/** A check that takes longer has failed: its caller needs an answer now. */
const CHECK_TIMEOUT_MS = 5_000;
/** How long a write of this process can take between the two tables, in milliseconds. */
const MIN_SETTLE_MS = 1_000;

/** The event store over an engine that speaks the SQL of ClickHouse. Closing it closes the engine. */
export class SqlEventStore extends SqlEvaluations implements EventStore {
  readonly #engine: SqlEngine;
  readonly #topology: Topology;
  readonly #tables: TableNames;
  readonly #queue: QueryQueue;
  readonly #options: SqlEventStoreOptions;
  protected readonly flagged: FlaggedIds | undefined;
  readonly #completeness: Completeness;
  readonly #searches: SearchContext;
  /**
   * Part of every token: a batch that is redelivered after a restart is inserted again, because a repair may have
   * removed its rows in between.
   */
  readonly #instance = randomUUID();

  /** @throws AppError `VALIDATION_ERROR` when the topology names no plain identifiers */
  constructor(engine: SqlEngine, topology: Topology, options: SqlEventStoreOptions) {
    super();
    const { limits, shares, flagged, totals = new TotalCache(false) } = options;
    checkTopology(topology);
    this.#options = options;
    this.#engine = engine;
    this.#topology = topology;
    this.#tables = tableNames(topology);
    this.flagged = flagged;
    this.#completeness = new Completeness(() => this.#hasAllPayloads());
    this.#searches = {
      tables: this.#tables,
      completeness: this.#completeness,
      totals,
      newestHours: new NewestHours(),
    };
    this.#queue = new QueryQueue({ ...shares, timeoutMs: limits.maxSeconds * 1_000 });
  }

  protected get context(): AggregateReadsContext & EvaluationsContext {
    return {
      ...this.#searches,
      hints: this.#searches,
      engine: this.#engine,
      instance: this.#instance,
      looksUpEither: this.#options.looksUpEither ?? false,
      run: (projectId, options, query) => this.#query(projectId, options, query),
    };
  }

  migrate(): Promise<void> {
    return migrate(this.#engine, this.#topology);
  }

  missingMigrations(): Promise<number[]> {
    return missingMigrations(this.#engine, this.#topology);
  }

  async write(batch: StoreBatch): Promise<void> {
    const written = this.#searches.totals.beginChange();
    this.flagged?.note(batch.changes);
    try {
      await writeBatch(this.#engine, this.#tables, { ...batch, token: `${this.#instance}:${batch.token}` });
    } catch (error) {
      // One of the two tables may have it.
      this.#completeness.doubt();
      throw error;
    } finally {
      written();
    }
  }

  incompleteRows(limit: number): Promise<IncompleteRows> {
    return readIncompleteRows(this.#engine, this.#tables, limit);
  }

  async repair(): Promise<RepairReport> {
    const report = { removed: 0, completed: 0 };
    await this.#completeness.compareNow(async () => {
      const outcome = await repairRows({ store: this, settleMs: this.#options.settleMs });
      Object.assign(report, { removed: outcome.removed, completed: outcome.completed });
      return outcome.hasAllPayloads;
    });
    return report;
  }

  logEpochs(): Promise<readonly LogEpoch[]> {
    return readLogEpochs(this.#engine, this.#tables);
  }

  recordLogEpoch(epoch: LogEpoch): Promise<void> {
    return writeLogEpoch(this.#engine, this.#tables, epoch);
  }

  async states(keys: readonly StateKey[], query?: QueryOptions): Promise<ReadonlyMap<string, EventState>> {
    const [first] = keys;
    if (query !== undefined && first !== undefined)
      return this.#query(first.projectId, query, (runner) => readStates(runner, this.#tables, keys));
    const states = await readStates(this.#engine, this.#tables, keys);
    if ([...states.values()].some(({ incomplete }) => incomplete)) this.#completeness.doubt();
    return states;
  }

  stateSizes(keys: readonly StateKey[]): Promise<ReadonlyMap<string, number>> {
    return readStateSizes(this.#engine, this.#tables, keys);
  }

  async readChangeFlags(keys: readonly EventKey[]): Promise<ReadonlyMap<string, ChangeFlags>> {
    const flagged = await this.flagged?.among(keys, this.#engine, this.#tables);
    return readChangeFlags(this.#engine, this.#tables, flagged ?? keys);
  }

  rowLocations(
    projectId: string,
    sessionIds: readonly string[],
    page: LocationPage,
  ): Promise<readonly RowLocation[]> {
    return readRowLocations(this.#engine, this.#tables, {
      projectId,
      sessionIds: sessionIds.filter(isStoredId),
      page,
    });
  }

  relocatedIds(projectId: string, sessionIds: readonly string[], page: IdPage): Promise<readonly string[]> {
    const scope = { projectId, sessionIds: sessionIds.filter(isStoredId), page };
    return readRelocatedIds(this.#engine, this.#tables, scope);
  }

  async knownKeys(onPage: (keys: readonly string[]) => void): Promise<void> {
    await readKnownKeys(this.#engine, this.#tables, onPage);
  }

  projectIds(): Promise<readonly string[]> {
    return readProjectIds(this.#engine, this.#topology);
  }

  async removeProject(projectId: string): Promise<RemovalStep> {
    // A step can end before the engine has removed its rows: the last one, which finds none, forgets totals too.
    const removed = this.#searches.totals.beginChange();
    try {
      return await removeProjectStep(this.#engine, this.#topology, projectId);
    } finally {
      removed();
    }
  }

  deletedValues(): Promise<DeletedValues> {
    return readDeletedValues(this.#engine, this.#topology);
  }

  purgeDeleted(limits: PurgeLimits): Promise<PurgeStep> {
    const maxStatementBytes = this.#options.maxRewriteBytes ?? MAX_MERGE_BYTES;
    return purgeDeletedStep(this.#engine, this.#topology, { ...limits, maxStatementBytes });
  }

  async find(projectId: string, eventId: string, options?: QueryOptions): Promise<Event | undefined> {
    if (!isStoredId(eventId)) return undefined;
    return this.#query(projectId, options, (runner) => readEvent(runner, this.#tables, projectId, eventId));
  }

  search(projectId: string, query: EventQuery, options?: PageOptions): Promise<EventPage> {
    const bounds = { maxBytes: this.#options.limits.maxResultBytes, withDerived: options?.withDerived };
    const search = (runner: ClientRunner) =>
      searchEvents(runner, this.#searches, { projectId, query }, bounds);
    return this.locations.noteRead(projectId, this.#query(projectId, options, search));
  }

  /** The caller of a large page gets its first part while the same query, in the same turn, reads the others. */
  startPage(projectId: string, query: EventQuery, options?: StartOptions): Promise<PageStart> {
    return new Promise((resolve, reject) => {
      const reading = this.#query(projectId, options, async (runner, commit) => {
        const maxBytes = Math.min(this.#options.limits.maxResultBytes, options?.maxHeldBytes?.() ?? Infinity);
        const bounds = { maxBytes, withDerived: options?.withDerived };
        const { parts, ...start } = await readPageStart(runner, this.#searches, { projectId, query }, bounds);
        const whole = parts?.map(async (part) => completeHeld(runner, this.#searches, projectId, await part));
        commit();
        resolve({ ...start, ...(whole && { parts: makeEvents(whole, reading) }) });
        // A failure is that of the part, when it is asked for.
        await Promise.allSettled(whole ?? []);
      });
      reading.catch(reject);
    });
  }

  async session(
    projectId: string,
    sessionId: string,
    limit: number,
    options?: QueryOptions,
  ): Promise<WholeSession | undefined> {
    if (!isStoredId(sessionId)) return { events: [] };
    const request = { projectId, sessionId, limit, maxBytes: this.#options.limits.maxResultBytes };
    const read = (runner: ClientRunner) => readSession(runner, this.#searches, request);
    return this.locations.noteRead(projectId, this.#query(projectId, options, read));
  }

  sessionsOfEvents(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return readSessionsOfEvents(this.#engine, this.#tables, keys);
  }

  sessionSummaries(
    keys: readonly EventKey[],
    query?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionSummary>> {
    const [first] = keys;
    if (query === undefined || first === undefined)
      return readSessionSummaries(this.#engine, this.#tables, keys);
    return this.#query(first.projectId, query, (runner) => readSessionSummaries(runner, this.#tables, keys));
  }

  sessionMembers(
    session: EventKey,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<SessionMembers> {
    return readSessionMembers(this.#engine, this.#tables, session, page);
  }

  largeSessionsWritten(query: WrittenQuery): Promise<readonly EventKey[]> {
    return readLargeSessionsWritten(this.#engine, this.#tables, query);
  }

  listSessions(
    projectId: string,
    query: SessionQuery,
    options?: QueryOptions,
  ): Promise<readonly SessionPosition[]> {
    return this.#query(projectId, options, (runner) =>
      readSessionPage(runner, this.#tables, projectId, query),
    );
  }

  async check(): Promise<void> {
    const responded = new AbortController();
    const tooLate = delay(CHECK_TIMEOUT_MS, undefined, { signal: responded.signal }).then(() => {
      throw unavailable('the event store does not respond in time');
    });
    try {
      await Promise.race([this.#engine.query({ sql: 'SELECT 1', bindings: {} }), tooLate]);
    } finally {
      responded.abort();
    }
  }

  inspect(): Promise<readonly Finding[]> {
    return inspectEngine(this.#engine);
  }

  queryLoad(): QueryLoad {
    return this.#queue.load;
  }

  close(): Promise<void> {
    this.#queue.close();
    return this.#engine.close();
  }

  async #hasAllPayloads(): Promise<boolean> {
    const settleMs = Math.max(this.#options.settleMs, MIN_SETTLE_MS);
    const { withoutPayload } = await persistentRows(this, settleMs, { ref: false });
    return withoutPayload.length === 0;
  }

  /** Runs a client's query when its project has a turn. */
  #query<Result>(
    projectId: string,
    options: QueryOptions | undefined,
    query: (runner: ClientRunner, commit: () => void) => Promise<Result>,
  ): Promise<Result> {
    return this.#queue.run(projectId, runForClient(this.#engine, query), options?.signal);
  }
}
