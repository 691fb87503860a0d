import type { OpenFile } from '../files/file-system.js';
import { findBatchWrittenAfter, validBatchAt } from './batch-scan.js';
import { FileWindow } from './file-window.js';
import type { Segment } from './segment.js';
import { SEGMENT_HEADER_BYTES } from './segment-header.js';

const WINDOW_BYTES = 1024 * 1024;

/** Result of recovering the last segment. */
export interface Recovered {
  /** Bytes after the last complete group: a torn tail, to be cut. */
  readonly tornBytes: number;
  /** The first damage among durable batches. */
  readonly damage?: { readonly position: number; readonly offset: number };
}

/**
 * Scans the last segment and sets its end, length and last time.
 *
 * A crash may leave any part of the last group, in any order of pages. Its append was never acknowledged, so the group is cut as
 * a whole. Invalid bytes are damage, not a torn tail, when there is evidence that they were durable:
 * - a valid batch follows whose header says that the bytes were synced before it was written (each group names the synced length
 *   of the segment, and a clean close writes an empty group), or
 * - a consumer group has committed an offset beyond them.
 * Damaged batches stay in place, so that reading reports them; records after them are kept.
 * @param provenEnd an offset before which everything is known to have been durable
 */
export async function recoverSegment(
  segment: Segment,
  file: OpenFile,
  size: number,
  provenEnd: number,
): Promise<Recovered> {
  const { salt, baseOffset } = segment.header;
  const window = new FileWindow(file, size, WINDOW_BYTES);
  let position = SEGMENT_HEADER_BYTES;
  let offset = baseOffset;
  let damage: Recovered['damage'];
  segment.length = position;
  segment.end = offset;
  for (;;) {
    const batch = await validBatchAt(window, salt, position);
    if (batch?.firstOffset === offset) {
      segment.index.note(offset, position);
      position += batch.bytes;
      offset += batch.count;
      if (batch.batchesLeft > 0) continue;
      segment.length = position;
      segment.end = offset;
      if (batch.count > 0) segment.lastAppendedAt = batch.appendedAt;
      continue;
    }
    const later = await findBatchWrittenAfter(window, salt, position + 1, position + 1);
    if (later === undefined || later.firstOffset < offset) break;
    damage ??= { position, offset };
    ({ position, firstOffset: offset } = later);
  }
  if (segment.end < provenEnd) {
    damage ??= { position: segment.length, offset: segment.end };
    segment.end = provenEnd;
    segment.length = size;
  }
  return { tornBytes: size - segment.length, damage };
}
