import { setTimeout as delay } from 'node:timers/promises';
import type { Event, TreePlace } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type {
  EventKey,
  EventPage,
  RowLocation,
  EventQuery,
  EventState,
  EventStore,
  ChangeFlags,
  LocationPage,
  SessionRollup,
  StoreBatch,
} from '../event-store.js';
import type { Query, QueryLimits, SqlEngine } from './engine/engine.js';
import { fetchPage, fetchPayloads, withoutVersion, type SizedKey } from './read/fetch-events.js';
import { migrate } from './schema/migrate.js';
import type { StoredRow } from './read/event-reader.js';
import { isStoredId, readStates } from './read/read-states.js';
import { readStateSizes } from './read/state-sizes.js';
import { readRollups } from './read/read-rollups.js';
import { knownIds, narrowRowsById } from './read/row-queries.js';
import { readChangeFlags, readRowLocations } from './read/session-rows.js';
import { searchQueries } from './read/search-query.js';
import { readChildren, readTreePositions } from './read/tree-positions.js';
import { checkTopology, tableNames, type TableNames, type Topology } from './schema/topology.js';
import { writeBatch } from './write/write-batch.js';

interface Counted {
  readonly total: number;
}

/** A check that takes longer has failed: its caller needs an answer now. */
const CHECK_TIMEOUT_MS = 5_000;

/** The event store over an engine that speaks the SQL of ClickHouse. Closing it closes the engine. */
export class SqlEventStore implements EventStore {
  readonly #engine: SqlEngine;
  readonly #topology: Topology;
  readonly #tables: TableNames;
  readonly #limits: QueryLimits;

  /** @throws AppError `VALIDATION_ERROR` when the topology names no plain identifiers */
  constructor(engine: SqlEngine, topology: Topology, limits: QueryLimits) {
    checkTopology(topology);
    this.#engine = engine;
    this.#topology = topology;
    this.#tables = tableNames(topology);
    this.#limits = limits;
  }

  migrate(): Promise<void> {
    return migrate(this.#engine, this.#topology);
  }

  write(batch: StoreBatch): Promise<void> {
    return writeBatch(this.#engine, this.#tables, batch);
  }

  states(keys: readonly EventKey[]): Promise<ReadonlyMap<string, EventState>> {
    return readStates(this.#engine, this.#tables, keys);
  }

  stateSizes(keys: readonly EventKey[]): Promise<ReadonlyMap<string, number>> {
    return readStateSizes(this.#engine, this.#tables, keys);
  }

  readChangeFlags(keys: readonly EventKey[]): Promise<ReadonlyMap<string, ChangeFlags>> {
    return readChangeFlags(this.#engine, this.#tables, keys);
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

  async knownKeys(onPage: (keys: readonly string[]) => void): Promise<void> {
    await this.#engine.stream<{ project_id: string; event_id: string }>(knownIds(this.#tables), (rows) =>
      onPage(rows.map((row) => `${row.project_id}/${row.event_id}`)),
    );
  }

  async find(projectId: string, eventId: string): Promise<Event | undefined> {
    if (!isStoredId(eventId)) return undefined;
    const narrow = await this.#engine.query<StoredRow>(narrowRowsById(this.#tables, projectId, [eventId]));
    const [event] = await fetchPayloads(this.#engine, this.#tables, projectId, narrow);
    return event === undefined ? undefined : withoutVersion(event);
  }

  async search(projectId: string, query: EventQuery): Promise<EventPage> {
    const queries = searchQueries(this.#tables, projectId, query);
    const keys = await this.#engine.query<SizedKey & Counted>(queries.page);
    const total = keys[0]?.total ?? (query.offset === 0 ? 0 : await this.#count(queries.total));
    return {
      events: await fetchPage(this.#engine, this.#tables, {
        projectId,
        keys,
        maxBytes: this.#limits.maxResultBytes,
      }),
      total,
    };
  }

  childrenOf(
    projectId: string,
    parents: readonly Pick<Event, 'event_id' | 'session_id'>[],
  ): Promise<readonly TreePlace[]> {
    return readChildren(this.#engine, this.#tables, projectId, parents);
  }

  treePlacesOf(projectId: string, eventIds: readonly string[]): Promise<readonly TreePlace[]> {
    return readTreePositions(this.#engine, this.#tables, projectId, eventIds);
  }

  rollups(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionRollup>> {
    return readRollups(this.#engine, this.#tables, projectId, sessionIds.filter(isStoredId));
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

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** A page beyond the last match has no row that could say how many there are. */
  async #count(total: Query): Promise<number> {
    const [row] = await this.#engine.query<Counted>(total);
    return row?.total ?? 0;
  }
}
