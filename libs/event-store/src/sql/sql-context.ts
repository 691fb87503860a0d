import { randomUUID } from 'node:crypto';
import type { QueryOptions } from '../event-store.js';
import { runForClient } from './client-query.js';
import type { ClientRunner, SqlEngine } from './engine/engine.js';
import { QueryQueue } from './query-queue.js';
import type { SearchContext } from './read/events/search-events.js';
import { makeHints } from './read/hints/hints.js';
import { Completeness } from './read/states/completeness.js';
import { readIncompleteRows } from './read/states/find-incomplete-rows.js';
import { type TableNames, type Topology, checkTopology, tableNames } from './schema/topology.js';
import type { SqlEventStoreOptions } from './sql-event-store-options.js';
import { persistentRows } from './write/repair-rows.js';

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
  /** Call before rows change, and the returned function when they have changed, also after a failure. */
  readonly beginChange: () => () => void;
  /** Runs a client's query when its project has a turn. */
  run<Result>(
    projectId: string,
    options: QueryOptions | undefined,
    query: (runner: ClientRunner) => Promise<Result>,
  ): Promise<Result>;
}

/** How long a write of this process can take between the two tables, in milliseconds. */
const MIN_SETTLE_MS = 1_000;

/** @throws AppError `VALIDATION_ERROR` when the topology names no plain identifiers */
export function sqlContext(engine: SqlEngine, topology: Topology, options: SqlEventStoreOptions): SqlContext {
  checkTopology(topology);
  const tables = tableNames(topology);
  const queue = new QueryQueue({ ...options.shares, timeoutMs: options.limits.maxSeconds * 1_000 });
  return {
    ...{ engine, topology, options, tables, queue },
    completeness: new Completeness(() => hasAllPayloads(engine, tables, options.settleMs)),
    hints: makeHints(options),
    // Other stores of this process over the same tables may remember totals that this one does not.
    beginChange: () => options.totals?.beginChange() ?? (() => undefined),
    instance: randomUUID(),
    run: (projectId, { signal } = {}, query) => queue.run(projectId, runForClient(engine, query), signal),
  };
}

async function hasAllPayloads(engine: SqlEngine, tables: TableNames, settleMs: number): Promise<boolean> {
  const find = (limit: number) => readIncompleteRows(engine, tables, limit);
  const { withoutPayload } = await persistentRows(find, Math.max(settleMs, MIN_SETTLE_MS), { ref: false });
  return withoutPayload.length === 0;
}
