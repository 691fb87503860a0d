import { statSync } from 'node:fs';
import type { Connection } from './connection.js';
import type { ConnectionPool } from './connection-pool.js';

/** Size of the write-ahead log from which on queries wait until it is copied into the database and emptied. */
const MAX_WAL_BYTES = 64 * 1024 * 1024;
/** How much the log grows before a checkpoint that another process or a full disk has prevented is tried again. */
const RETRY_STEP_BYTES = 16 * 1024 * 1024;

/**
 * Bounds the write-ahead log. SQLite's own checkpoints, after every 1,000 pages, let the log start again only in a moment without a reader,
 * which may never come while queries overlap.
 */
export class WalLimit {
  private limit = MAX_WAL_BYTES;

  constructor(
    private readonly path: string,
    private readonly writer: Connection,
    private readonly queries: ConnectionPool,
  ) {}

  /** Empties the log when it is too large. Does not reject: what it does not copy now is copied later. */
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

  /** True when the log is empty afterwards. */
  async empty(): Promise<boolean> {
    try {
      const [busy] = (await this.writer.first('PRAGMA wal_checkpoint(TRUNCATE)')) ?? [];
      return busy === 0;
    } catch {
      return false;
    }
  }
}
