import { join } from 'node:path';
import { AppError, unavailable } from '@assay/errors';
import type { Finding, Logger } from '@assay/runtime';
import type { DeadLetterLimits } from '../dead-letter-shares.js';
import { withDeadline } from '../deadline.js';
import type {
  ConsumedRecord,
  Consumer,
  DeadLetter,
  DeadLetterReason,
  EventLog,
  LogPosition,
  LogRecord,
  PartitionNotes,
  ReadOptions,
} from '../event-log.js';
import { totalBytes } from '../record-size.js';
import { EmbeddedConsumer } from './embedded-consumer.js';
import type { FileSystem } from './files/file-system.js';
import { NoteFile } from './files/note-file.js';
import { nodeFileSystem } from './files/node-file-system.js';
import { GroupCommit, type Change } from './group-commit.js';
import { GroupTurns } from './group-turns.js';
import { beginLogBackup, type LogBackup } from './log-backup.js';
import { openDirectory, type OpenedDirectory } from './open-directory.js';
import { DEFAULT_RETENTION, type Retention } from './retention.js';
import { PARTITION } from './segments/batch.js';
import { LogCursor } from './segments/log-cursor.js';
import { headerBytes } from './segments/record-frame.js';
import { Sweeper, type RetentionHolder } from './sweeper.js';

export interface EmbeddedEventLogOptions {
  /** Directory of the log; created when missing. One process at a time. */
  readonly dir: string;
  readonly logger: Logger;
  /** Limits that override the defaults. */
  readonly retention?: Partial<Retention>;
  /**
   * Configured consumer groups. Retention ignores other groups. Undefined: retention waits for every group
   * that ever read.
   */
  readonly activeGroups?: readonly string[];
  /** Milliseconds between retention sweeps; 1,000 by default. */
  readonly sweepIntervalMs?: number;
  /** Milliseconds until a consumer that could not read or commit tries again; 1,000 by default. */
  readonly readRetryMs?: number;
  /** Limits of the dead letters, 100,000 of at most 1 GiB by default. */
  readonly deadLetterLimits?: DeadLetterLimits;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** The file system of the machine by default. */
  readonly fileSystem?: FileSystem;
}

/** The event log of a single process. */
export interface EmbeddedEventLog extends EventLog {
  /** The active group that retains segments beyond a limit; undefined when there is none. */
  retentionHolder(): RetentionHolder | undefined;
  /** Size of the retained records on disk, without dead letters. */
  sizeBytes(): number;
  /**
   * Takes the positions of the consumer groups and the dead letters, and keeps all records until the backup has them.
   * @throws AppError `UNAVAILABLE`
   */
  beginBackup(): Promise<LogBackup>;
}

const SWEEP_INTERVAL_MS = 1_000;
const READ_RETRY_MS = 1_000;
const CLOSE_DEADLINE_MS = 10_000;
const START_DEADLINE_MS = 8_000;
const MAX_HEADER_BYTES = 0xffff;

/**
 * Opens the event log of a single process, on segment files. One partition; concurrent appends share one
 * `fdatasync` and resolve after it. After a failed write, also on a full disk, the next append tries again;
 * reading continues.
 * @throws AppError `CONFLICT` when another process has the directory or it has an old format,
 * `INTERNAL_ERROR` when a file is damaged, `UNAVAILABLE` when it cannot be opened
 */
export async function openEmbeddedEventLog(options: EmbeddedEventLogOptions): Promise<EmbeddedEventLog> {
  const retention = { ...DEFAULT_RETENTION, ...options.retention };
  const now = options.now ?? Date.now;
  const fs = options.fileSystem ?? nodeFileSystem;
  const { dir, logger, deadLetterLimits } = options;
  const opened = await openDirectory({ fs, dir, logger, retention, now, deadLetterLimits });
  return new SegmentedEventLog(opened, { ...options, retention, now });
}

interface Append extends Change {
  readonly records: readonly LogRecord[];
}

type Settings = EmbeddedEventLogOptions & { readonly retention: Retention; readonly now: () => number };

class SegmentedEventLog implements EmbeddedEventLog {
  private readonly writer: GroupCommit<Append>;
  private readonly sweeper: Sweeper;
  /** Running consumers and their groups. */
  private readonly consumers = new Map<EmbeddedConsumer, string>();
  private readonly turns = new GroupTurns();
  private readonly sweepTimer: NodeJS.Timeout;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly opened: OpenedDirectory,
    private readonly settings: Settings,
  ) {
    const { records, positions } = opened;
    const { retention, activeGroups, now, logger } = settings;
    this.writer = new GroupCommit((appends, progressed) => this.commitAll(appends, progressed));
    const exclusive = (work: () => Promise<void>) => this.writer.exclusive(work);
    this.sweeper = new Sweeper({ log: records, positions, retention, activeGroups, now, logger, exclusive });
    this.sweepTimer = setInterval(
      () => void this.sweeper.sweep(),
      settings.sweepIntervalMs ?? SWEEP_INTERVAL_MS,
    );
    this.sweepTimer.unref();
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    this.assertOpen();
    if (records.length === 0) return;
    const bytes = totalBytes(records);
    for (const { headers } of records) assertHeaderSize(headers);
    const { hardCapBytes } = this.settings.retention;
    if (this.opened.records.keptBytes + this.writer.pendingBytes + bytes > hardCapBytes) {
      throw unavailable('the event log is full: consumers are behind and its hard cap is reached');
    }
    await this.writer.submit({ records, bytes });
  }

  identity(): Promise<string> {
    return Promise.resolve(this.opened.logId);
  }

  end(): Promise<LogPosition> {
    return Promise.resolve(new Map([[PARTITION, this.opened.records.end]]));
  }

  retainedFrom(): Promise<LogPosition> {
    return Promise.resolve(new Map([[PARTITION, this.opened.records.first]]));
  }

  position(group: string): Promise<LogPosition> {
    return Promise.resolve(new Map([[PARTITION, this.positionOf(group)]]));
  }

  async read(options: ReadOptions): Promise<Consumer> {
    this.assertOpen();
    const { positions, records } = this.opened;
    // Retention waits for a group from its first consumer on.
    if (positions.of(options.group) === undefined) await positions.commit(options.group, records.first);
    const hasPartition = ![...this.consumers.values()].includes(options.group);
    const cursor = new LogCursor(records);
    const { fileSystem = nodeFileSystem, dir } = this.settings;
    const notes = new NoteFile(fileSystem, join(dir, `handled-${options.group}`));
    const consumer = new EmbeddedConsumer(this.readableBy(options.group, cursor, notes), options);
    this.consumers.set(consumer, options.group);
    const running = withCleanUp(consumer, async () => {
      this.consumers.delete(consumer);
      await cursor.close();
      await notes.close();
    });
    if (hasPartition) await startedOrStopped(consumer, running);
    return running;
  }

  async deadLetter(record: ConsumedRecord, reason: DeadLetterReason): Promise<boolean> {
    this.assertOpen();
    return readingLetters(this.opened.deadLetters.add(record, reason));
  }

  async deadLetters(limit: number, after = -1): Promise<readonly DeadLetter[]> {
    this.assertOpen();
    return readingLetters(this.opened.deadLetters.oldest(limit, after));
  }

  async restoreDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    this.assertOpen();
    await readingLetters(this.opened.deadLetters.restore(letters));
  }

  async dropDeadLetters(throughId: number): Promise<void> {
    this.assertOpen();
    await readingLetters(this.opened.deadLetters.dropThrough(throughId));
  }

  async check(): Promise<void> {
    this.assertOpen();
    await this.writer.exclusive(() => {
      this.opened.lock.assertHeld();
      return this.opened.records.check(this.settings.now());
    });
  }

  inspect(): Promise<readonly Finding[]> {
    const { keptBytes } = this.opened.records;
    return Promise.resolve([{ name: 'event log', ok: true, detail: `${keptBytes} bytes of records` }]);
  }

  retentionHolder(): RetentionHolder | undefined {
    return this.sweeper.holder();
  }

  sizeBytes(): number {
    return this.opened.records.keptBytes;
  }

  async beginBackup(): Promise<LogBackup> {
    this.assertOpen();
    const { dir } = this.settings;
    const release = await this.sweeper.hold();
    try {
      return await beginLogBackup(this.opened, dir, release);
    } catch (error) {
      release();
      throw error instanceof AppError ? error : unavailable('the event log could not be read', error);
    }
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    const { records, deadLetters, positions, lock } = this.opened;
    clearInterval(this.sweepTimer);
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.stop()));
    try {
      const finished = Promise.all([
        this.sweeper.stop().then(() => this.writer.idle()),
        deadLetters.idle(),
        positions.idle(),
      ]);
      await withDeadline(finished, CLOSE_DEADLINE_MS, 'the event log did not finish writing');
      await Promise.all([records.close(this.settings.now()), deadLetters.close(), positions.close()]);
    } finally {
      lock.release();
    }
  }

  private assertOpen(): void {
    if (this.closing !== undefined) throw unavailable('the event log is closed');
  }

  private async commitAll(appends: readonly Append[], progressed: () => void): Promise<void> {
    this.opened.lock.assertHeld();
    const records: LogRecord[] = [];
    for (const append of appends) for (const record of append.records) records.push(record);
    await this.opened.records.append(records, this.settings.now(), progressed);
    for (const consumer of this.consumers.keys()) consumer.appended();
  }

  private positionOf(group: string): number {
    return Math.max(this.opened.positions.of(group) ?? 0, this.opened.records.first);
  }

  /** Frees the memory of the records that every running consumer has read. */
  private dropRead(): void {
    const read = [...this.consumers.values()].map((group) => this.positionOf(group));
    this.opened.records.dropRecent(Math.min(...read));
  }

  private readableBy(group: string, cursor: LogCursor, notes: NoteFile) {
    const { records, positions } = this.opened;
    return {
      position: () => this.positionOf(group),
      end: () => records.end,
      bytesWritten: () => records.bytesWritten,
      readFrom: (offset: number) => cursor.readFrom(offset),
      commit: (offset: number) => positions.commit(group, offset).then(() => this.dropRead()),
      rewind: (offset: number) => positions.rewind(group, Math.max(offset, records.first)),
      take: () => this.turns.take(group),
      notes: unavailableIfFailed(notes),
      retryMs: this.settings.readRetryMs ?? READ_RETRY_MS,
      logger: this.settings.logger,
    };
  }
}

function unavailableIfFailed(notes: NoteFile): PartitionNotes {
  const failed = (error: unknown) => Promise.reject(unavailable('the disk of the event log failed', error));
  return {
    read: () => notes.read().catch(failed),
    write: (note) => notes.write(note).catch(failed),
  };
}

/** @throws AppError `VALIDATION_ERROR` */
function assertHeaderSize(headers: LogRecord['headers']): void {
  if (headerBytes(headers) > MAX_HEADER_BYTES)
    throw new AppError(
      'VALIDATION_ERROR',
      `the headers of a record are larger than ${MAX_HEADER_BYTES} bytes`,
    );
}

/** Resolves when the consumer has started. Stops it when it does not start in time. @throws AppError `UNAVAILABLE` */
async function startedOrStopped({ started }: EmbeddedConsumer, running: Consumer): Promise<void> {
  try {
    await withDeadline(started, START_DEADLINE_MS, 'the position to start reading at is unknown');
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The consumer, which also releases what it uses once it has stopped. */
function withCleanUp(consumer: EmbeddedConsumer, cleanUp: () => Promise<void>): Consumer {
  let cleaned: Promise<void> | undefined;
  return {
    pause: () => consumer.pause(),
    resume: () => consumer.resume(),
    flush: () => consumer.flush(),
    idleMs: () => consumer.idleMs(),
    stop: () => consumer.stop().finally(() => (cleaned ??= cleanUp())),
  };
}

/** Adding and dropping letters read those that are stored. @throws AppError `UNAVAILABLE` when the disk fails */
async function readingLetters<T>(letters: Promise<T>): Promise<T> {
  try {
    return await letters;
  } catch (error) {
    throw error instanceof AppError ? error : unavailable('the dead letters could not be read', error);
  }
}
