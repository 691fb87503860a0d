import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { usableMemory } from '@assay/runtime';
import type { EventStore, MergedPartition, MergeLimits, MergeParts, StoreSize } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../sql/engine/engine.js';
import { RESERVED_QUERIES, type QueryShares } from '../sql/query-queue.js';
import { FlaggedIds } from '../sql/read/hints/flagged-ids.js';
import { TotalCache } from '../sql/read/hints/total-cache.js';
import { hasMergeLimit, limitMerges } from '../sql/schema/merge-limit.js';
import type { Topology } from '../sql/schema/topology.js';
import type { SqlEventStoreOptions } from '../sql/sql-event-store-options.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';
import { mergeParts } from './merge-parts.js';
import { readEndOfOldest, readStoredBytes } from './oldest-events.js';
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
}

/** An event store that no other process writes to. */
export interface EmbeddedEventStore extends EventStore, StoreSize {
  readonly mergeParts: MergeParts;
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
  maxMergeBytes = defaultMergeBytes(usableMemory()),
}: ChdbEventStoreOptions): EmbeddedEventStore {
  mkdirSync(dir, { recursive: true });
  removeTornMutations(dir);
  const engine = new ChdbEngine({
    dir,
    readers: READERS,
    queries: shares.concurrency + RESERVED_QUERIES,
    limits,
  });
  const { ids: flagged, totals } = SHARED.acquire(JSON.stringify([resolve(dir), database]));
  return new ChdbEventStore(engine, { database }, maxMergeBytes, {
    ...{ limits, shares, settleMs: 0, looksUpEither: true, maxRewriteBytes: maxMergeBytes },
    ...{ flagged, totals },
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
      totals: new TotalCache(true),
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

class ChdbEventStore extends SqlEventStore implements EmbeddedEventStore {
  readonly #embedded: ChdbEngine;
  readonly #database: string;
  readonly #maxMergeBytes: number;
  #isClosed = false;

  constructor(engine: ChdbEngine, topology: Topology, maxMergeBytes: number, options: SqlEventStoreOptions) {
    super(engine, topology, options);
    this.#embedded = engine;
    this.#database = topology.database;
    this.#maxMergeBytes = maxMergeBytes;
  }

  override async migrate(): Promise<void> {
    await super.migrate();
    const [database, maxBytes] = [this.#database, this.#maxMergeBytes];
    if (await hasMergeLimit(this.#embedded, database, maxBytes)) return;
    await this.#embedded.command(limitMerges({ database }, maxBytes));
  }

  mergeParts(limits: MergeLimits): Promise<MergedPartition | undefined> {
    const maxNarrowBytes = Math.min(limits.maxBytes, this.#maxMergeBytes);
    return mergeParts(this.#embedded, this.#database, { ...limits, maxNarrowBytes });
  }

  storedBytes(): Promise<number> {
    return readStoredBytes(this.#embedded, this.#database);
  }

  endOfOldest(share: number): Promise<number | undefined> {
    return readEndOfOldest(this.#embedded, this.#database, share);
  }

  override async close(): Promise<void> {
    await super.close();
    if (!this.#isClosed && this.flagged) SHARED.release(this.flagged);
    this.#isClosed = true;
  }
}
