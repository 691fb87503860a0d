import { join } from 'node:path';
import type { AppError } from '@assay/errors';
import { DeadLetterShares, type DeadLetterLimits } from '../dead-letter-shares.js';
import type { ConsumedRecord, DeadLetter, DeadLetterReason, LogRecord } from '../event-log.js';
import { recordBytes } from '../record-size.js';
import type { FileSystem } from './files/file-system.js';
import { GroupCommit, type Change } from './group-commit.js';
import type { Positions } from './positions.js';
import { LogCursor } from './segments/log-cursor.js';
import type { Segment } from './segments/segment.js';
import { SegmentedLog } from './segments/segmented-log.js';

/** Approximate maximum of bytes returned by one call. */
const RESPONSE_BYTES = 64 * 1024 * 1024;

/** Small, because dropped letters free their space segment by segment. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
/** Letters are read rarely. */
const RECENT_BYTES = 1024 * 1024;

/** What is stored beside the record, as the text of one more header. */
interface Origin extends DeadLetterReason {
  readonly partition: number;
  readonly offset: number;
  /** Unix milliseconds; absent in letters of older versions. */
  readonly at?: number;
}
const ORIGIN = 'assay.dead-letter';

interface NewLetter extends Change {
  readonly record: LogRecord;
}

export interface DeadLettersOptions {
  readonly fs: FileSystem;
  /** Directory of the event log. */
  readonly dir: string;
  readonly logId: string;
  readonly positions: Positions;
  readonly now: () => number;
  /** Maximum of letters and bytes; {@link DEAD_LETTER_LIMITS} by default. */
  readonly limits?: DeadLetterLimits;
}

/**
 * Dead letters in separate segments. The id of a letter is its offset plus one; the first retained letter is
 * a position.
 */
export class DeadLetters {
  private readonly writer: GroupCommit<NewLetter>;
  /** Shares of the projects, counted when the first letter is added. */
  private shares: Promise<DeadLetterShares> | undefined;
  private dropping: Promise<void> = Promise.resolve();

  private constructor(
    private readonly log: SegmentedLog,
    private readonly options: DeadLettersOptions,
  ) {
    this.writer = new GroupCommit((letters) =>
      log.append(
        letters.map(({ record }) => record),
        options.now(),
      ),
    );
  }

  static async open(options: DeadLettersOptions): Promise<DeadLetters> {
    const { fs, dir, logId, positions } = options;
    const log = await SegmentedLog.open({
      fs,
      logId,
      dir: join(dir, 'dead-letters'),
      segmentBytes: SEGMENT_BYTES,
      segmentMs: Number.POSITIVE_INFINITY,
      provenEnd: positions.deadLettersFrom,
      recentBytes: RECENT_BYTES,
    });
    return new DeadLetters(log, options);
  }

  /** Damage that was found when the letters were opened. */
  get damage(): AppError | undefined {
    return this.log.found.damage;
  }

  /** Resolves when the letter is durable, or to false if the share of its project is full. @throws AppError `UNAVAILABLE` */
  async add(record: ConsumedRecord, reason: DeadLetterReason): Promise<boolean> {
    const letter = toStoredLetter(record, reason, this.options.now());
    const bytes = recordBytes(letter);
    const project = reason.project ?? '';
    const shares = await this.countedShares();
    if (!shares.reserve(project, bytes)) return false;
    try {
      await this.writer.submit({ record: letter, bytes });
      return true;
    } catch (error) {
      shares.remove(project, bytes);
      throw error;
    }
  }

  /** Stores letters again behind the newest, also beyond the shares of their projects. @throws AppError `UNAVAILABLE` */
  async restore(letters: readonly DeadLetter[]): Promise<void> {
    const shares = await this.countedShares();
    await Promise.all(
      letters.map(async (letter) => {
        const record = toStoredLetter(letter, letter.reason, letter.at);
        const bytes = recordBytes(record);
        await this.writer.submit({ record, bytes });
        shares.add(letter.reason.project ?? '', bytes);
      }),
    );
  }

  /** At most `limit` letters with larger ids, and about 64 MiB, oldest first. */
  async oldest(limit: number, after: number): Promise<DeadLetter[]> {
    const cursor = new LogCursor(this.log);
    try {
      // The id of a letter is its offset plus one.
      return await this.collect(cursor, Math.max(this.first, after), limit);
    } finally {
      await cursor.close();
    }
  }

  /** Drops the letter with this id and all before it, durably. @throws AppError `UNAVAILABLE` */
  dropThrough(id: number): Promise<void> {
    const dropping = this.dropping.then(() => this.dropNow(id));
    this.dropping = dropping.catch(() => undefined);
    return dropping;
  }

  private async dropNow(id: number): Promise<void> {
    const [first, from] = [this.first, Math.min(id, this.log.end)];
    if (from <= first) return;
    const shares = await this.shares;
    const dropped: (() => void)[] = [];
    if (shares)
      await this.eachStored(first, from, (project, bytes) =>
        dropped.push(() => shares.remove(project, bytes)),
      );
    await this.options.positions.dropDeadLettersBefore(from);
    for (const remove of dropped) remove();
    // The letters are already dropped; a later call frees the space.
    await this.writer.exclusive(() => this.freeSpace()).catch(() => undefined);
  }

  /** Runs the work while no letter is added and no segment removed. @throws AppError `UNAVAILABLE` */
  exclusive(work: (segments: readonly Segment[]) => Promise<void>): Promise<void> {
    return this.writer.exclusive(() => work(this.log.kept));
  }

  idle(): Promise<void> {
    return this.writer.idle();
  }

  async close(): Promise<void> {
    await this.log.close(this.options.now());
  }

  private get first(): number {
    return Math.max(this.options.positions.deadLettersFrom, this.log.first);
  }

  private countedShares(): Promise<DeadLetterShares> {
    this.shares ??= this.count().catch((error: unknown) => {
      this.shares = undefined;
      throw error;
    });
    return this.shares;
  }

  private async count(): Promise<DeadLetterShares> {
    const shares = new DeadLetterShares(this.options.limits);
    await this.eachStored(this.first, this.log.end, (project, bytes) => shares.add(project, bytes));
    return shares;
  }

  private async eachStored(
    from: number,
    to: number,
    visit: (project: string, bytes: number) => void,
  ): Promise<void> {
    const cursor = new LogCursor(this.log);
    try {
      for (let offset = from; offset < to;) {
        const records = await cursor.readFrom(offset);
        if (records.length === 0) return;
        for (const record of records.filter((one) => one.offset < to))
          visit(projectOf(record), recordBytes(record));
        offset += records.length;
      }
    } finally {
      await cursor.close();
    }
  }

  private async collect(cursor: LogCursor, from: number, limit: number): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    let bytes = 0;
    for (let offset = from; ;) {
      const records = await cursor.readFrom(offset);
      if (records.length === 0) return letters;
      for (const record of records) {
        bytes += record.value.length;
        if (letters.length >= limit || (letters.length > 0 && bytes > RESPONSE_BYTES)) return letters;
        letters.push(toDeadLetter(record));
      }
      offset += records.length;
    }
  }

  private async freeSpace(): Promise<void> {
    await this.removeDropped();
    const last = this.log.kept.at(-1);
    if (last === undefined || last.isEmpty || last.end > this.first) return;
    await this.log.roll(this.options.now());
    await this.removeDropped();
  }

  private async removeDropped(): Promise<void> {
    while (this.log.kept.length > 1 && (this.log.kept[0]?.end ?? 0) <= this.first)
      await this.log.removeOldest();
  }
}

function projectOf({ headers }: ConsumedRecord): string {
  return (JSON.parse(headers[ORIGIN] ?? '{}') as Partial<Origin>).project ?? '';
}

type LetterRecord = LogRecord & Pick<DeadLetter, 'partition' | 'offset'>;

function toStoredLetter(
  { key, value, headers, partition, offset }: LetterRecord,
  reason: DeadLetterReason,
  at: number,
): LogRecord {
  const origin: Origin = { ...reason, partition, offset, at };
  return { key, value, headers: { ...headers, [ORIGIN]: JSON.stringify(origin) } };
}

function toDeadLetter({ key, value, headers, offset: index, appendedAt }: ConsumedRecord): DeadLetter {
  const { [ORIGIN]: text = '{}', ...original } = headers;
  const { partition, offset, at = appendedAt, ...reason } = JSON.parse(text) as Origin;
  return { id: index + 1, at, key, value, headers: original, partition, offset, reason };
}
