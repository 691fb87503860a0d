import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { usableMemory } from '@assay/runtime';
import type { EventStore, MergeParts, StoreSize } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../sql/engine/engine.js';
import { RESERVED_QUERIES, type QueryShares } from '../sql/query-queue.js';
import { FlaggedIds } from '../sql/read/hints/flagged-ids.js';
import { TotalCache } from '../sql/read/hints/total-cache.js';
import { hasMergeLimit, limitMerges } from '../sql/schema/merge-limit.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { readUnusedMediaBytes } from '../sql/purge/unused-media.js';
import { ChdbEngine } from './chdb-engine.js';
import { freezeTables, removeFrozenTables, type FrozenTables } from './frozen-tables.js';
import { mergeParts } from './merge-parts.js';
import { readEndOfOldest, readStoredBytes, readTombstoneBytes } from './oldest-events.js';
import { removeTornMutations } from './remove-torn-mutations.js';

export interface ChdbEventStoreOptions {
  /** Folder of the data; made when it is not there. A process can have one such folder open. */
  readonly dir: string;
  /** Database within the folder; `assay` when absent. */
  readonly database?: string;
  readonly limits?: QueryLimits;
  readonly shares?: QueryShares;
  /**
   * Bytes on disk of the narrow rows that one merge may take, which needs three to six times as much memory; a 32nd of the memory of the
   * machine or container when absent.
   */
  readonly maxMergeBytes?: number;
  /** See `SqlEventStoreOptions`. */
  readonly storeMediaOnce?: boolean;
  readonly unusedMediaSeconds?: number;
  /** `off`: the store remembers nothing of its reads. Tests and benches compare with it. */
  readonly hints?: 'off';
}

/** An event store that no other process writes to. */
export interface EmbeddedEventStore extends EventStore, StoreSize {
  readonly mergeParts: MergeParts;
  /** Keeps all rows of this moment for a backup, one at a time. @throws AppError `UNAVAILABLE` */
  readonly freeze: () => Promise<FrozenTables>;
}

/** One process writes rows soon after the media that they refer to. */
const UNUSED_MEDIA_SECONDS = 600;
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
  maxMergeBytes = defaultMergeBytes(usableMemory()),
  hints,
  storeMediaOnce,
  unusedMediaSeconds = UNUSED_MEDIA_SECONDS,
}: ChdbEventStoreOptions): EmbeddedEventStore {
  mkdirSync(dir, { recursive: true });
  removeTornMutations(dir);
  removeFrozenTables(dir);
  const engine = new ChdbEngine({
    dir,
    readers: READERS,
    queries: shares.concurrency + RESERVED_QUERIES,
    limits,
  });
  const { ids: flagged, totals } = SHARED.acquire(JSON.stringify([resolve(dir), database]));
  let isOpen = true;
  const onClosed = () => {
    if (isOpen) SHARED.release(flagged);
    isOpen = false;
  };
  const store = new SqlEventStore(
    engine,
    { database },
    {
      ...{ limits, shares, settleMs: 0, looksUpEither: true, maxRewriteBytes: maxMergeBytes },
      ...{ flagged, totals, hints, onClosed, storeMediaOnce, unusedMediaSeconds },
      onMigrated: () => limitMergesTo(engine, database, maxMergeBytes),
    },
  );
  const merge: MergeParts = ({ maxBytes, signal }) =>
    mergeParts(engine, database, { maxBytes, signal, maxNarrowBytes: Math.min(maxBytes, maxMergeBytes) });
  return Object.assign(store, {
    mergeParts: merge,
    freeze: () => freezeTables(engine, dir, database),
    storedBytes: () => readStoredBytes(engine, database),
    unusedMediaBytes: () => readUnusedMediaBytes(engine, { database }),
    tombstoneBytes: () => readTombstoneBytes(engine, database),
    endOfOldest: (share: number) => readEndOfOldest(engine, database, share),
  });
}

/** What the stores of a process over one database know together. */
interface SharedKnowledge {
  readonly ids: FlaggedIds;
  readonly totals: TotalCache;
  stores: number;
}

/** Flagged ids and totals of the open stores, by database: all stores of a process over one database have the same ones. */
class SharedStores {
  readonly #open = new Map<string, SharedKnowledge>();

  acquire(database: string): SharedKnowledge {
    const entry = this.#open.get(database) ?? {
      ids: new FlaggedIds(),
      totals: new TotalCache(),
      stores: 0,
    };
    entry.stores += 1;
    this.#open.set(database, entry);
    return entry;
  }

  /** Forgets them when no store of the database is open: it may be replaced before it is opened again. */
  release(ids: FlaggedIds): void {
    for (const [database, entry] of this.#open) {
      if (entry.ids !== ids) continue;
      entry.stores -= 1;
      if (entry.stores === 0) this.#open.delete(database);
    }
  }
}

const SHARED = new SharedStores();

const MIN_MERGE_BYTES = 64 * 1024 ** 2;
/** So that a machine with much memory does not merge for minutes at a time. */
const LARGEST_MERGE_BYTES = 1024 ** 3;
/** A merge takes a tenth to a fifth of the memory. */
const MEMORY_PER_MERGE_BYTE = 32;

function defaultMergeBytes(memory: number): number {
  const bytes = Math.floor(memory / MEMORY_PER_MERGE_BYTE);
  return Math.min(Math.max(bytes, MIN_MERGE_BYTES), LARGEST_MERGE_BYTES);
}

/** Has the engine merge parts up to this size only. */
async function limitMergesTo(engine: ChdbEngine, database: string, maxBytes: number): Promise<void> {
  if (await hasMergeLimit(engine, database, maxBytes)) return;
  await engine.command(limitMerges({ database }, maxBytes));
}
