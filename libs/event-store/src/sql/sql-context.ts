import { randomUUID } from 'node:crypto';
import type { QueryOptions } from '../event-store.js';
import { runForClient } from './client-query.js';
import type { ClientRunner, SqlEngine } from './engine/engine.js';
import { QueryQueue } from './query-queue.js';
import type { SearchContext } from './read/events/search-events.js';
import { makeHints } from './read/hints/hints.js';
import { type Topology, checkTopology, tableNames } from './schema/topology.js';
import type { SqlEventStoreOptions } from './sql-event-store-options.js';

/** What the ports of one store have in common. */
export interface SqlContext extends SearchContext {
  readonly engine: SqlEngine;
  readonly topology: Topology;
  readonly options: SqlEventStoreOptions;
  /**
   * Part of every token: a batch that is redelivered after a restart is inserted again, because a repair may have
   * removed its rows in between.
   */
  readonly instance: string;
  readonly queue: QueryQueue;
  /** Writes under way, which are complete before the engine is closed. */
  readonly writes: Set<Promise<void>>;
  /** Call before rows change, and the returned function when they have changed, also after a failure. */
  readonly beginChange: () => () => void;
  /** Runs a client's query when its project has a turn. */
  run<Result>(
    projectId: string,
    options: QueryOptions | undefined,
    query: (runner: ClientRunner) => Promise<Result>,
  ): Promise<Result>;
}

/** @throws AppError `VALIDATION_ERROR` when the topology names no plain identifiers */
export function sqlContext(engine: SqlEngine, topology: Topology, options: SqlEventStoreOptions): SqlContext {
  checkTopology(topology);
  const tables = tableNames(topology);
  const queue = new QueryQueue({ ...options.shares, timeoutMs: options.limits.maxSeconds * 1_000 });
  return {
    ...{ engine, topology, options, tables, queue },
    hints: makeHints(options),
    writes: new Set(),
    // Other stores of this process over the same tables may remember totals that this one does not.
    beginChange: () => options.totals?.beginChange() ?? (() => undefined),
    instance: randomUUID(),
    run: (projectId, { signal } = {}, query) => queue.run(projectId, runForClient(engine, query), signal),
  };
}
