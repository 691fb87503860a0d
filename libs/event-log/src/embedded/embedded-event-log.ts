import { unavailable } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import { withDeadline } from '../deadline.js';
import type {
  DeadLetter,
  DeadLetterReason,
  EventLog,
  LogPosition,
  Consumer,
  LogRecord,
  ConsumedRecord,
  ReadOptions,
} from '../event-log.js';
import { totalBytes } from '../record-size.js';
import { PARTITION } from './block.js';
import { BlockStore } from './block-store.js';
import { DeadLetterTable } from './dead-letter-table.js';
import { lockDirectory } from './directory-lock.js';
import { EmbeddedConsumer } from './embedded-reading.js';
import { GroupCommit, type Change } from './group-commit.js';
import { Positions } from './positions.js';
import { DEFAULT_RETENTION, type Retention } from './retention.js';
import { openTables, type Tables } from './tables.js';

export interface EmbeddedEventLogOptions {
  /** Directory of the log; made when missing. One process at a time. */
  readonly dir: string;
  readonly logger: Logger;
  /** Limits that differ from the default ones. */
  readonly retention?: Partial<Retention>;
  /** Milliseconds between looks for records that are over a limit; 1,000 by default. */
  readonly sweepIntervalMs?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

const SWEEP_INTERVAL_MS = 1_000;
const CLOSE_DEADLINE_MS = 10_000;

/**
 * Opens the event log of a single process, on LMDB. One partition; an append is one transaction, synced before it resolves.
 * @throws AppError `CONFLICT` when another process has the directory, `UNAVAILABLE` when it cannot be opened
 */
export async function openEmbeddedEventLog(options: EmbeddedEventLogOptions): Promise<EventLog> {
  const unlock = lockDirectory(options.dir);
  try {
    return Promise.resolve(new EmbeddedEventLog(openTables(options.dir), unlock, options));
  } catch (error) {
    unlock();
    throw unavailable('the directory of the event log could not be opened', error);
  }
}

class EmbeddedEventLog implements EventLog {
  private readonly blocks: BlockStore;
  private readonly positions: Positions;
  private readonly letters: DeadLetterTable;
  private readonly writer: GroupCommit;
  private readonly retention: Retention;
  private readonly now: () => number;
  private readonly readings = new Set<EmbeddedConsumer>();
  /** For each group, the end of the queue of those who read or want to. */
  private readonly turns = new Map<string, Promise<void>>();
  private readonly sweeper: NodeJS.Timeout;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly tables: Tables,
    private readonly unlock: () => void,
    private readonly options: EmbeddedEventLogOptions,
  ) {
    this.blocks = new BlockStore(tables);
    this.positions = new Positions(tables);
    this.letters = new DeadLetterTable(tables);
    this.retention = { ...DEFAULT_RETENTION, ...options.retention };
    this.now = options.now ?? Date.now;
    this.writer = new GroupCommit((changes) => this.commitAll(changes));
    this.sweeper = setInterval(() => void this.sweep(), options.sweepIntervalMs ?? SWEEP_INTERVAL_MS);
    this.sweeper.unref();
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    this.assertOpen();
    if (records.length === 0) return;
    const bytes = totalBytes(records);
    if (this.blocks.keptBytes + this.writer.pendingBytes + bytes > this.retention.hardCapBytes) {
      throw unavailable('the event log is full: readers are behind and its hard cap is reached');
    }
    await this.writer.submit({ records, bytes });
  }

  end(): Promise<LogPosition> {
    return Promise.resolve(new Map([[PARTITION, this.blocks.end]]));
  }

  position(group: string): Promise<LogPosition> {
    return Promise.resolve(new Map([[PARTITION, this.positionOf(group)]]));
  }

  async read(options: ReadOptions): Promise<Consumer> {
    this.assertOpen();
    // From its first reading on, retention waits for the group.
    if (this.positions.of(options.group) === undefined)
      await this.commitPosition(options.group, this.blocks.first);
    const reading = new EmbeddedConsumer(this.readableBy(options.group), options);
    this.readings.add(reading);
    return withRemoval(reading, () => this.readings.delete(reading));
  }

  async deadLetter(record: ConsumedRecord, reason: DeadLetterReason): Promise<void> {
    this.assertOpen();
    this.letters.assertRoom();
    await this.submitWrite(record.value.length, () => this.letters.write(record, reason, this.now()));
    this.letters.wrote();
  }

  async deadLetters(limit: number): Promise<readonly DeadLetter[]> {
    this.assertOpen();
    return Promise.resolve(this.letters.oldest(limit));
  }

  async dropDeadLetters(throughId: number): Promise<void> {
    this.assertOpen();
    await this.submitWrite(0, () => this.letters.removeThrough(throughId));
    this.letters.removed();
  }

  /** Commits an empty transaction, so that a log that can no longer write is noticed. */
  async check(): Promise<void> {
    this.assertOpen();
    await this.submitWrite(0, () => undefined);
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    clearInterval(this.sweeper);
    await Promise.all([...this.readings].map((reading) => reading.stop()));
    try {
      await withDeadline(this.writer.idle(), CLOSE_DEADLINE_MS, 'the event log did not finish writing');
      await this.tables.root.close();
    } finally {
      this.unlock();
    }
  }

  private assertOpen(): void {
    if (this.closing !== undefined) throw unavailable('the event log is closed');
  }

  private async commitAll(changes: readonly Change[]): Promise<void> {
    const endBefore = this.blocks.end;
    await this.blocks.commit(changes, this.now());
    if (this.blocks.end === endBefore) return;
    for (const reading of this.readings) reading.appended();
  }

  private submitWrite(bytes: number, write: () => void): Promise<void> {
    return this.writer.submit({ records: [], bytes, write });
  }

  private async commitPosition(group: string, offset: number): Promise<void> {
    await this.submitWrite(0, () => this.positions.write(group, offset));
    this.positions.wrote(group, offset);
  }

  private positionOf(group: string): number {
    return Math.max(this.positions.of(group) ?? 0, this.blocks.first);
  }

  private readableBy(group: string) {
    return {
      position: () => this.positionOf(group),
      end: () => this.blocks.end,
      bytesWritten: () => this.blocks.bytesWritten,
      readFrom: (offset: number) => this.blocks.readFrom(offset),
      commit: (offset: number) => this.commitPosition(group, offset),
      take: () => this.takeTurn(group),
      logger: this.options.logger,
    };
  }

  private async takeTurn(group: string): Promise<() => void> {
    const before = this.turns.get(group) ?? Promise.resolve();
    let passOn = (): void => undefined;
    this.turns.set(group, new Promise<void>((resolve) => (passOn = resolve)));
    await before;
    return passOn;
  }

  private async sweep(): Promise<void> {
    try {
      let more = true;
      while (more && this.closing === undefined) {
        more = await this.blocks.sweep(this.retention, this.now(), this.positions.lowest());
      }
    } catch (error) {
      this.options.logger.warn('old records could not be removed', {}, error);
    }
  }
}

/** The reading, which also tells the log when it has stopped. */
function withRemoval(reading: EmbeddedConsumer, removed: () => void): Consumer {
  return {
    pause: () => reading.pause(),
    resume: () => reading.resume(),
    flush: () => reading.flush(),
    idleMs: () => reading.idleMs(),
    stop: () => reading.stop().finally(removed),
  };
}
