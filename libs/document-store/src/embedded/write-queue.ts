import { AppError } from '@assay/errors';
import { retryWhileBusy } from './busy-retry.js';
import type { Connection, PreparedStatement } from './connection.js';
import { createYieldToEventLoop, type YieldToEventLoop } from './yield-to-event-loop.js';

/**
 * Runs statements of the writing connection. It may run twice, in a new transaction, if the first one could
 * not be committed.
 */
export type Write<T> = (yieldToEventLoop: YieldToEventLoop) => T | Promise<T>;

interface QueuedWrite {
  readonly bytes: number;
  readonly write: Write<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_WAITING = 10_000;
const MAX_GROUP = 256;
const MAX_GROUP_BYTES = 4_000_000;

interface Transaction {
  readonly begin: PreparedStatement;
  readonly rollback: PreparedStatement;
  readonly savepoint: PreparedStatement;
  readonly release: PreparedStatement;
  readonly undo: PreparedStatement;
}

/**
 * Group commit: waiting writes become one transaction and share its sync to disk. Each has its own savepoint,
 * so that a failed write does not affect the others. If a whole group fails, each of its writes is retried
 * once in a separate transaction.
 */
export class WriteQueue {
  private readonly waiting: QueuedWrite[] = [];
  private draining: Promise<void> | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly transaction: Transaction,
    private readonly afterCommit: () => Promise<void>,
  ) {}

  /** @param afterCommit runs between two groups; must not reject */
  static async create(connection: Connection, afterCommit: () => Promise<void>): Promise<WriteQueue> {
    return new WriteQueue(
      connection,
      {
        begin: await connection.prepare('BEGIN IMMEDIATE'),
        rollback: await connection.prepare('ROLLBACK'),
        savepoint: await connection.prepare('SAVEPOINT one_write'),
        release: await connection.prepare('RELEASE one_write'),
        undo: await connection.prepare('ROLLBACK TO one_write'),
      },
      afterCommit,
    );
  }

  /** Resolves with the result of the write, once it is on disk. @param bytes approximate size of the write */
  add<T>(bytes: number, write: Write<T>): Promise<T> {
    if (this.waiting.length >= MAX_WAITING)
      return Promise.reject(
        new AppError('OVERLOADED', 'too many writes are waiting for the document store, retry the request'),
      );
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.push({ bytes, write, resolve, reject });
      this.draining ??= this.drain();
    }) as Promise<T>;
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.draining;
  }

  /** Starts one turn later, so that writes of the same turn of the event loop share the first group. */
  private async drain(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const group = this.nextGroup();
      await this.commit(group).catch((error: unknown) => this.commitSeparately(group, error));
      await this.afterCommit();
    }
    this.draining = undefined;
  }

  /**
   * Runs the writes of a failed group separately, so that a write that does not fit on the disk does not fail
   * smaller ones.
   */
  private async commitSeparately(group: readonly QueuedWrite[], error: unknown): Promise<void> {
    if (group.length === 1) group[0]?.reject(error);
    else for (const one of group) await this.commit([one]).catch(one.reject);
  }

  private nextGroup(): readonly QueuedWrite[] {
    let count = 0;
    let bytes = 0;
    for (const one of this.waiting.slice(0, MAX_GROUP)) {
      bytes += one.bytes;
      if (count > 0 && bytes > MAX_GROUP_BYTES) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /**
   * Commits a group and settles its writes.
   * @throws SqliteError if it cannot be committed; no write is then settled
   */
  private async commit(group: readonly QueuedWrite[]): Promise<void> {
    const yieldToEventLoop = createYieldToEventLoop();
    const settlements: (() => void)[] = [];
    try {
      await retryWhileBusy(() => this.transaction.begin.run([]));
      for (const one of group) {
        settlements.push(await this.attempt(one, yieldToEventLoop));
        await yieldToEventLoop();
      }
      await this.connection.exec('COMMIT');
    } catch (error) {
      if (this.connection.inTransaction) this.transaction.rollback.run([]);
      throw error;
    }
    for (const settle of settlements) settle();
  }

  /**
   * @returns a function that settles the write
   * @throws SqliteError if SQLite rolled back the whole transaction
   */
  private async attempt(
    { write, resolve, reject }: QueuedWrite,
    yieldToEventLoop: YieldToEventLoop,
  ): Promise<() => void> {
    this.transaction.savepoint.run([]);
    try {
      const value = await write(yieldToEventLoop);
      this.transaction.release.run([]);
      return () => resolve(value);
    } catch (error) {
      if (!this.connection.inTransaction) throw error;
      this.transaction.undo.run([]);
      this.transaction.release.run([]);
      return () => reject(error);
    }
  }
}
