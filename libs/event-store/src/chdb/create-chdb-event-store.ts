import { mkdirSync } from 'node:fs';
import type { EventStore } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../sql/engine/engine.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

export interface ChdbEventStoreOptions {
  /** Folder of the data; made when it is not there. A process can have one such folder open. */
  readonly dir: string;
  /** Database within the folder; `assay` when absent. */
  readonly database?: string;
  /** Reads that run side by side; 3 when absent. */
  readonly readers?: number;
  readonly limits?: QueryLimits;
}

/**
 * An event store in this process, on ClickHouse's engine as a library.
 * @throws when the folder cannot be made or opened
 */
export function createChdbEventStore({
  dir,
  database = 'assay',
  readers = 3,
  limits = DEFAULT_QUERY_LIMITS,
}: ChdbEventStoreOptions): EventStore {
  mkdirSync(dir, { recursive: true });
  return new SqlEventStore(new ChdbEngine({ dir, readers, limits }), { database }, limits);
}
