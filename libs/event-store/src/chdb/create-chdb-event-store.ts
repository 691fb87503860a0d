import { mkdirSync } from 'node:fs';
import type { EventStore } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../sql/engine/engine.js';
import type { QueryShares } from '../sql/query-queue.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

export interface ChdbEventStoreOptions {
  /** Folder of the data; made when it is not there. A process can have one such folder open. */
  readonly dir: string;
  /** Database within the folder; `assay` when absent. */
  readonly database?: string;
  readonly limits?: QueryLimits;
  readonly shares?: QueryShares;
}

/** Connections for reads of the store itself: look-ups of the readers, and health checks. */
const READERS = 2;
/** One connection of three stays for other projects. */
const DEFAULT_SHARES: QueryShares = { concurrency: 3, perProject: 2, maxWaiting: 100 };

/**
 * An event store in this process, on ClickHouse's engine as a library.
 * @throws when the folder cannot be made or opened
 */
export function createChdbEventStore({
  dir,
  database = 'assay',
  limits = DEFAULT_QUERY_LIMITS,
  shares = DEFAULT_SHARES,
}: ChdbEventStoreOptions): EventStore {
  mkdirSync(dir, { recursive: true });
  const engine = new ChdbEngine({ dir, readers: READERS, queries: shares.concurrency, limits });
  return new SqlEventStore(engine, { database }, { limits, shares, settleMs: 0, isOnlyWriter: true });
}
