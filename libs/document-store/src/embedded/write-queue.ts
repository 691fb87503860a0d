import { AppError } from '@assay/errors';
import { retryWhileBusy } from './busy-retry.js';
import type { Connection, PreparedStatement } from './connection.js';
import { createPause, type Pause } from './pause.js';

/** Runs statements of the writing connection. May run twice, in a new transaction, when the first one could not be committed. */
export type Write<T> = (pause: Pause) => T | Promise<T>;

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
 * Group commit: the writes that wait become one transaction and share its sync to disk. Each has a savepoint of its own, so that one that is
 * refused leaves the others alone; when a whole group fails, each of its writes is tried once in a transaction of its own.
 */
export class WriteQueue {
  private readonly waiting: QueuedWrite[] = [];
  private draining: Promise<void> | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly transaction: Transaction,
    private readonly afterCommit: () => Promise<void>,
  ) {}

  /** @param afterCommit runs between two groups, must not reject */
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

  /** Resolves with what the write returned, once it is on disk. @param bytes about how much it writes */
  add<T>(bytes: number, write: Write<T>): Promise<T> {
    if (this.waiting.length >= MAX_WAITING)
      return Promise.reject(new AppError('OVERLOADED', 'too many writes wait for the document store'));
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.push({ bytes, write, resolve, reject });
      this.draining ??= this.drain();
    }) as Promise<T>;
  }

  /** Resolves when no write waits. */
  async idle(): Promise<void> {
    await this.draining;
  }

  /** Begins a turn later: the writes that the same turn of the event loop adds share the first group. */
  private async drain(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const group = this.nextGroup();
      await this.commit(group).catch((error: unknown) => this.commitSeparately(group, error));
      await this.afterCommit();
    }
    this.draining = undefined;
  }

  /** After the transaction of a group has failed: a write that does not fit on the disk must not fail smaller ones. */
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

  /** Settles the writes of the group when it is committed. @throws SqliteError when it is not, and then settles none */
  private async commit(group: readonly QueuedWrite[]): Promise<void> {
    const pause = createPause();
    const settlements: (() => void)[] = [];
    try {
      await retryWhileBusy(() => this.transaction.begin.run([]));
      for (const one of group) {
        settlements.push(await this.attempt(one, pause));
        await pause();
      }
      await this.connection.exec('COMMIT');
    } catch (error) {
      if (this.connection.inTransaction) this.transaction.rollback.run([]);
      throw error;
    }
    for (const settle of settlements) settle();
  }

  /** @returns what settles the write @throws SqliteError when SQLite has ended the whole transaction */
  private async attempt({ write, resolve, reject }: QueuedWrite, pause: Pause): Promise<() => void> {
    this.transaction.savepoint.run([]);
    try {
      const value = await write(pause);
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
