import { basename, join } from 'node:path';
import { AppError } from '@assay/errors';
import type { FileSystem, OpenFile } from '../files/file-system.js';
import { recoverSegment, type Recovered } from './recover-segment.js';
import { damagedBatch, Segment } from './segment.js';
import { decodeSegmentHeader, SEGMENT_HEADER_BYTES } from './segment-header.js';
import { SegmentWriter } from './segment-writer.js';

const NAME = /^(\d{10})\.log$/;

/**
 * Path of the segment with this number. Numbers grow and are not used again, also when creating a file
 * failed.
 */
export function segmentPath(dir: string, sequence: number): string {
  return join(dir, `${String(sequence).padStart(10, '0')}.log`);
}

export interface OpenedSegments {
  /** Oldest first. */
  readonly segments: Segment[];
  /** Writes to the last segment; undefined when the next append has to start a new one. */
  readonly writer: SegmentWriter | undefined;
  readonly lastSequence: number;
  /** Damage in the last segment. Older segments are checked when they are read. */
  readonly damage: AppError | undefined;
  /** Bytes of a torn tail that were cut. */
  readonly tornBytes: number;
}

export interface OpenSegmentsOptions {
  readonly fs: FileSystem;
  readonly dir: string;
  readonly logId: string;
  /** An offset before which everything is known to have been durable. */
  readonly provenEnd: number;
}

/**
 * Opens the segments of a directory and recovers the last one. A segment ends where the next one starts: what
 * a failed write left behind its durable end is never read.
 * @throws AppError `INTERNAL_ERROR` naming the file whose header is damaged or belongs to another log
 */
export async function openSegments(options: OpenSegmentsOptions): Promise<OpenedSegments> {
  const { fs, dir } = options;
  await fs.createDirectory(dir);
  const names = (await fs.list(dir)).filter((name) => NAME.test(name)).sort();
  const segments: Segment[] = [];
  for (const name of names) {
    const segment = await openSegment(options, join(dir, name));
    if (segment !== undefined) segments.push(segment);
  }
  for (const [index, segment] of segments.entries()) endBeforeNext(segment, segments[index + 1]);
  const lastSequence = Number(NAME.exec(names.at(-1) ?? '')?.[1] ?? 0);
  const last = segments.at(-1);
  if (last === undefined)
    return { segments, lastSequence, writer: undefined, damage: undefined, tornBytes: 0 };
  return { segments, lastSequence, ...(await openLast(options, last)) };
}

/** The segment of a file; undefined for the rest of a creation that failed, which never held records. */
async function openSegment(options: OpenSegmentsOptions, path: string): Promise<Segment | undefined> {
  const { fs, logId } = options;
  const file = await fs.open(path, 'read');
  try {
    const size = await file.size();
    const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
    const header = decodeSegmentHeader(bytes.subarray(0, await file.read(bytes, 0)));
    if (header === undefined && size <= SEGMENT_HEADER_BYTES) {
      await fs.remove(path).catch(() => undefined);
      return undefined;
    }
    if (header === undefined) throw damagedBatch(path, 0, 0);
    if (header.logId !== logId)
      throw new AppError('INTERNAL_ERROR', `${basename(path)} belongs to another event log`);
    const segment = new Segment(fs, path, header);
    segment.length = size;
    return segment;
  } finally {
    await file.close();
  }
}

function endBeforeNext(segment: Segment, next: Segment | undefined): void {
  if (next === undefined) return;
  if (next.header.baseOffset < segment.header.baseOffset)
    throw new AppError('INTERNAL_ERROR', `${basename(next.path)} starts before the segment that precedes it`);
  segment.end = next.header.baseOffset;
  segment.lastAppendedAt = next.header.previousAppendedAt;
}

async function openLast({ fs, dir, provenEnd }: OpenSegmentsOptions, last: Segment) {
  const file = await fs.open(last.path, 'update');
  try {
    const found = await recoverSegment(last, file, last.length, provenEnd);
    const isLast = await syncedDirectory(fs, dir);
    const writer = isLast ? await writerAfter(last, file, found) : undefined;
    if (writer === undefined) await file.close();
    const { damage, tornBytes } = found;
    return { writer, tornBytes, damage: damage && last.damage(damage.position, damage.offset) };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Whether it is certain that no segment follows after a crash. Without the sync, the removal of a later segment whose
 * creation failed may be lost: that segment would end this one before the records appended from now on.
 */
async function syncedDirectory(fs: FileSystem, dir: string): Promise<boolean> {
  try {
    await fs.syncDirectory(dir);
    return true;
  } catch {
    return false;
  }
}

/** Cuts a torn tail. A damaged segment is left as it is, and one that cannot be cut gets no more records. */
async function writerAfter(last: Segment, file: OpenFile, { damage, tornBytes }: Recovered) {
  if (damage !== undefined) return undefined;
  if (tornBytes === 0) return new SegmentWriter(last, file);
  try {
    await file.truncate(last.length);
    await file.sync();
    return new SegmentWriter(last, file);
  } catch {
    return undefined;
  }
}
