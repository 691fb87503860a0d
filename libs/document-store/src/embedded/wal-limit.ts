import { statSync } from 'node:fs';
import type { Connection } from './connection.js';
import type { ConnectionPool } from './connection-pool.js';

/** Size of the write-ahead log above which queries wait until it is checkpointed and truncated. */
const MAX_WAL_BYTES = 64 * 1024 * 1024;
/** Growth of the log before a checkpoint is retried that another process or a full disk has prevented. */
const RETRY_STEP_BYTES = 16 * 1024 * 1024;

/**
 * Bounds the write-ahead log. SQLite's own checkpoints, after every 4,000 pages, restart the log only at a
 * moment without readers, which may never occur while queries overlap.
 */
export class WalLimit {
  private limit = MAX_WAL_BYTES;

  constructor(
    private readonly path: string,
    private readonly writer: Connection,
    private readonly queries: ConnectionPool,
  ) {}

  /** Truncates the log if it is too large. Never rejects: a failed checkpoint is retried later. */
  async enforce(): Promise<void> {
    const size = this.size();
    if (size < this.limit) return;
    const emptied = await this.queries.whileIdle(() => this.empty());
    this.limit = emptied ? MAX_WAL_BYTES : size + RETRY_STEP_BYTES;
  }

  private size(): number {
    try {
      return statSync(this.path).size;
    } catch {
      return 0;
    }
  }

  /** Returns whether the log is empty afterwards. */
  async empty(): Promise<boolean> {
    try {
      const [busy] = (await this.writer.first('PRAGMA wal_checkpoint(TRUNCATE)')) ?? [];
      return busy === 0;
    } catch {
      return false;
    }
  }
}
