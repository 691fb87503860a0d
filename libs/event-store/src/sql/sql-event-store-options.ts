import type { Finding } from '@assay/runtime';
import type { QueryLimits } from './engine/engine.js';
import type { QueryShares } from './query-queue.js';
import type { FlaggedIds } from './read/hints/flagged-ids.js';
import type { HintOptions } from './read/hints/hints.js';

/** How the queries of clients are bounded. */
export interface SqlEventStoreOptions extends HintOptions {
  readonly limits: QueryLimits;
  readonly shares: QueryShares;
  /** How long a write of another process can take between the two tables, in milliseconds. */
  readonly settleMs: number;
  /** Whether large texts of payloads are stored once for each content. Reads return them either way; absent: they stay in their rows. */
  readonly storeMediaOnce?: boolean;
  /** Age of unused media from which they are removed, in seconds; for tests. */
  readonly unusedMediaSeconds?: number;
  /** Bytes on disk of the parts that are rewritten at the same time because of deletions; those of one merge on a server when absent. */
  readonly maxRewriteBytes?: number;
  /** Whether the engine looks up both sides of an `OR` in their indexes; absent: others read all rows for it. */
  readonly looksUpEither?: boolean;
  /** Ids with change flags; absent for a store that other processes write to, whose flags are always read. */
  readonly flagged?: FlaggedIds;
  /** Adapts the tables to the engine, after each migration. */
  readonly onMigrated?: () => Promise<void>;
  /** Inspects what only this engine has. Called when it fits otherwise. */
  readonly inspect?: () => Promise<readonly Finding[]>;
  /** Called after each call of `close`. */
  readonly onClosed?: () => void;
}
