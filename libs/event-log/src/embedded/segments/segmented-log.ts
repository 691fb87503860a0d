import { dirname } from 'node:path';
import type { AppError } from '@assay/errors';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type { ConsumedRecord, LogRecord } from '../../event-log.js';
import type { FileSystem } from '../files/file-system.js';
import { encodeGroupSteps, encodeMarker, type EncodedBatch } from './encode-group.js';
import { openSegments, segmentPath, type OpenedSegments } from './open-segments.js';
import { Segment } from './segment.js';
import { newSegmentHeader } from './segment-header.js';
import { createSegmentFile, SegmentWriter } from './segment-writer.js';
import { TailCache } from './tail-cache.js';

export interface SegmentedLogOptions {
  readonly fs: FileSystem;
  readonly dir: string;
  readonly logId: string;
  /**
   * A segment that would grow over this many bytes is followed by a new one. A group of records is never
   * divided.
   */
  readonly segmentBytes: number;
  /**
   * A segment older than this is followed by a new one, so that retention by time can remove whole segments.
   */
  readonly segmentMs: number;
  /** An offset before which everything is known to have been durable. */
  readonly provenEnd: number;
  /** Maximum bytes of the last batches that are kept in memory for consumers. */
  readonly recentBytes: number;
}

/**
 * Records in segment files. One caller at a time may append, roll, check or close. Reads run concurrently and
 * return durable records only. A failed call leaves the log unchanged, and the next call tries again.
 */
export class SegmentedLog {
  private readonly segments: Segment[];
  private readonly recent: TailCache;
  private writer: SegmentWriter | undefined;
  private sequence: number;
  private bytesAppended = 0;
  /** Set while the last write failed, so that a check also writes. */
  private failing = false;
  /** Set once something was written that no later group has confirmed as synced. */
  private unmarked = false;
  /** Damage and torn bytes found when the log was opened. */
  readonly found: { readonly damage: AppError | undefined; readonly tornBytes: number };

  private constructor(
    private readonly options: SegmentedLogOptions,
    opened: OpenedSegments,
  ) {
    this.recent = new TailCache(options.recentBytes);
    this.segments = opened.segments;
    this.writer = opened.writer;
    this.sequence = opened.lastSequence;
    this.found = { damage: opened.damage, tornBytes: opened.tornBytes };
  }

  /** @throws AppError `INTERNAL_ERROR` for a damaged segment header, or the error of the file system */
  static async open(options: SegmentedLogOptions): Promise<SegmentedLog> {
    return new SegmentedLog(options, await openSegments(options));
  }

  /** First offset that is kept. */
  get first(): number {
    return this.segments[0]?.header.baseOffset ?? this.options.provenEnd;
  }

  /** Offset that the next record gets. */
  get end(): number {
    return this.segments.at(-1)?.end ?? this.options.provenEnd;
  }

  /** Bytes appended since the log was opened. */
  get bytesWritten(): number {
    return this.bytesAppended;
  }

  /** Bytes of the segments that are kept. */
  get keptBytes(): number {
    return this.segments.reduce((bytes, { length }) => bytes + length, 0);
  }

  /** The segments that are kept, oldest first. The last one may still grow. */
  get kept(): readonly Segment[] {
    return this.segments;
  }

  /** The segment that holds the record with this offset. */
  segmentOf(offset: number): Segment | undefined {
    return this.segments.findLast(({ header, end }) => header.baseOffset <= offset && offset < end);
  }

  /**
   * The records from `offset` on when they were appended lately; undefined when they have to be read from the
   * file.
   */
  readRecent(offset: number): readonly ConsumedRecord[] | undefined {
    return this.recent.read(offset);
  }

  /** Frees the memory of records before `offset`, which every consumer has read. They are read from the file from then on. */
  dropRecent(offset: number): void {
    this.recent.dropBefore(offset);
  }

  /**
   * Appends the records as one group. Resolves when they are durable; when it rejects, none of them is in the
   * log. Nothing else may be written meanwhile.
   * @param progressed called after parts of the work
   */
  async append(
    records: readonly LogRecord[],
    now: number,
    progressed: () => void = () => undefined,
  ): Promise<void> {
    if (records.length === 0) return;
    const yieldToEventLoop = createYieldToEventLoop();
    const continueWith = () => {
      progressed();
      return yieldToEventLoop();
    };
    const encode = (writer: SegmentWriter) =>
      runCooperatively(this.encodeSteps(writer, records, now), continueWith);
    const batches = await this.write(encode, now);
    this.recent.add(batches);
  }

  /** Starts a new segment for the next records. */
  async roll(now: number): Promise<void> {
    const old = this.writer;
    this.writer = undefined;
    await old?.close().catch(() => undefined);
    const last = this.segments.at(-1);
    const header = newSegmentHeader({
      baseOffset: this.end,
      createdAt: now,
      previousAppendedAt: last?.lastAppendedAt ?? now,
      logId: this.options.logId,
    });
    this.sequence += 1;
    const segment = new Segment(this.options.fs, segmentPath(this.options.dir, this.sequence), header);
    const file = await createSegmentFile(this.options.fs, segment);
    this.segments.push(segment);
    this.writer = new SegmentWriter(segment, file);
  }

  /**
   * Finds out whether the log can write: syncs, and also writes an empty group when the last write failed.
   */
  async check(now: number): Promise<void> {
    if (this.writer === undefined) await this.roll(now);
    else if (this.failing) await this.writeEmptyGroup(now);
    else await this.guard((writer) => writer.sync());
    this.failing = false;
  }

  /** Removes the oldest segment. The last one is never removed. */
  async removeOldest(): Promise<void> {
    const [oldest] = this.segments;
    if (oldest === undefined || this.segments.length === 1) return;
    this.segments.shift();
    try {
      await this.options.fs.remove(oldest.path);
    } catch (error) {
      this.segments.unshift(oldest);
      throw error;
    }
    // Synced before the next removal: after a crash no older segment may reappear without those after it.
    await this.options.fs.syncDirectory(dirname(oldest.path));
  }

  /** Confirms that everything was synced, if the disk allows, and releases the file. */
  async close(now: number): Promise<void> {
    if (this.unmarked) await this.writeEmptyGroup(now).catch(() => undefined);
    const { writer } = this;
    this.writer = undefined;
    await writer?.close().catch(() => undefined);
  }

  private encodeSteps(writer: SegmentWriter, records: readonly LogRecord[], appendedAt: number) {
    const { header, end, length } = writer.segment;
    return encodeGroupSteps(records, {
      salt: header.salt,
      firstOffset: end,
      appendedAt,
      syncedLength: length,
    });
  }

  private async writeEmptyGroup(now: number): Promise<void> {
    await this.guard(async (writer) => {
      const { header, end, length } = writer.segment;
      const group = { salt: header.salt, firstOffset: end, appendedAt: now, syncedLength: length };
      await writer.append([encodeMarker(group)], now);
    });
    this.unmarked = false;
  }

  private async write(
    encode: (writer: SegmentWriter) => Promise<EncodedBatch[]>,
    now: number,
  ): Promise<EncodedBatch[]> {
    if (this.writer === undefined || this.isOld(this.writer.segment, now)) await this.startSegment(now);
    let batches = this.writer === undefined ? [] : await encode(this.writer);
    const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
    if (this.writer && this.isFull(this.writer.segment, bytes)) {
      await this.startSegment(now);
      batches = await encode(this.writer);
    }
    await this.guard((writer) => writer.append(batches, now));
    this.bytesAppended += bytes;
    this.unmarked = true;
    this.failing = false;
    return batches;
  }

  private async startSegment(now: number): Promise<void> {
    try {
      await this.roll(now);
    } catch (error) {
      this.failing = true;
      throw error;
    }
  }

  /** Runs a write. A segment whose writer can no longer be trusted gets no more records. */
  private async guard(write: (writer: SegmentWriter) => Promise<void>): Promise<void> {
    const { writer } = this;
    if (writer === undefined) throw new Error('the log has no open segment');
    try {
      await write(writer);
    } catch (error) {
      this.failing = true;
      if (writer.isBroken) {
        this.writer = undefined;
        await writer.close().catch(() => undefined);
      }
      throw error;
    }
  }

  private isFull({ isEmpty, length }: Segment, bytes: number): boolean {
    return !isEmpty && length + bytes > this.options.segmentBytes;
  }

  /** A segment from the future counts as old: the clock was set back. */
  private isOld({ isEmpty, header }: Segment, now: number): boolean {
    return !isEmpty && Math.abs(now - header.createdAt) > this.options.segmentMs;
  }
}
