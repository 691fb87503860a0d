import type { Steps } from '@assay/runtime';
import type { ConsumedRecord, LogRecord } from '../../event-log.js';
import { BATCH_BYTES, BATCH_HEADER_BYTES, PARTITION, writeBatchHeader, type BatchHeader } from './batch.js';
import { frameBytes, writeFrame, writeFrameStart } from './record-frame.js';

/** Fields shared by all batches of a group. */
export interface GroupHeader {
  readonly salt: Buffer;
  /** Offset of the group's first record. */
  readonly firstOffset: number;
  /** Unix milliseconds. */
  readonly appendedAt: number;
  /** Durable length of the segment, which is where the group starts. */
  readonly syncedLength: number;
}

export interface EncodedBatch {
  readonly firstOffset: number;
  readonly count: number;
  /** Unix milliseconds. */
  readonly appendedAt: number;
  readonly bytes: number;
  /** One buffer, or two for a large record: the value is written from where it is. */
  readonly buffers: readonly Buffer[];
  /** The records as they are read from the batch; none for a large record, whose value the caller may overwrite. */
  readonly records: readonly ConsumedRecord[];
}

interface Cut {
  readonly records: readonly LogRecord[];
  readonly bytes: number;
}

/** Encodes records as the batches of one group, in order. Yields about every millisecond. */
export function* encodeGroupSteps(records: readonly LogRecord[], group: GroupHeader): Steps<EncodedBatch[]> {
  const cuts = yield* cutIntoBatches(records);
  const batches: EncodedBatch[] = [];
  let { firstOffset } = group;
  for (const cut of cuts) {
    if (batches.length > 0) yield;
    batches.push(encodeBatch(cut, group, { firstOffset, batchesLeft: cuts.length - batches.length - 1 }));
    firstOffset += cut.records.length;
  }
  return batches;
}

/** A group of one batch without records. Its header says that everything before it is durable. */
export function encodeMarker(group: GroupHeader): EncodedBatch {
  return encodeBatch({ records: [], bytes: 0 }, group, { firstOffset: group.firstOffset, batchesLeft: 0 });
}

/** @param place the offset of the batch's first record, and the number of batches of the group that follow it */
function encodeBatch(
  cut: Cut,
  { appendedAt, syncedLength, salt }: GroupHeader,
  { firstOffset, batchesLeft }: Pick<BatchHeader, 'firstOffset' | 'batchesLeft'>,
): EncodedBatch {
  const { records } = cut;
  const bytes = BATCH_HEADER_BYTES + cut.bytes;
  const header = { bytes, firstOffset, appendedAt, syncedLength, count: records.length, batchesLeft };
  const [only] = records;
  if (only !== undefined && records.length === 1 && bytes > BATCH_BYTES) {
    const start = Buffer.allocUnsafe(bytes - only.value.length);
    writeFrameStart(start, BATCH_HEADER_BYTES, only);
    writeBatchHeader(start, salt, header, only.value);
    return { firstOffset, count: 1, appendedAt, bytes, buffers: [start, only.value], records: [] };
  }
  const batch = Buffer.allocUnsafe(bytes);
  let at = BATCH_HEADER_BYTES;
  const read = records.map(({ key, value, headers }, index): ConsumedRecord => {
    const end = writeFrame(batch, at, { key, value, headers });
    const stored = batch.subarray(end - value.length, end);
    // A key is ASCII if it has as many bytes as characters. Others are read as UTF-8, which has no lone surrogates.
    const keyRead = batch.readUInt32LE(at) === key.length ? key : Buffer.from(key).toString();
    at = end;
    const offset = firstOffset + index;
    return { key: keyRead, value: stored, headers, partition: PARTITION, offset, appendedAt };
  });
  writeBatchHeader(batch, salt, header);
  return { firstOffset, count: records.length, appendedAt, bytes, buffers: [batch], records: read };
}

/** Cuts records into batches of up to {@link BATCH_BYTES}; a larger record is a batch of its own. */
function* cutIntoBatches(records: readonly LogRecord[]): Steps<Cut[]> {
  const cuts: Cut[] = [];
  let first = 0;
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    const more = frameBytes(record);
    if (index > first && BATCH_HEADER_BYTES + bytes + more > BATCH_BYTES) {
      cuts.push({ records: records.slice(first, index), bytes });
      first = index;
      bytes = 0;
      yield;
    }
    bytes += more;
  }
  if (records.length > first) cuts.push({ records: first === 0 ? records : records.slice(first), bytes });
  return cuts;
}
