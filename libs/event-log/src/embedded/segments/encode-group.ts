import type { LogRecord } from '../../event-log.js';
import { BATCH_BYTES, BATCH_HEADER_BYTES, writeBatchHeader } from './batch.js';
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
}

interface Cut {
  readonly records: readonly LogRecord[];
  readonly bytes: number;
}

/** Encodes records as the batches of one group, in order. */
export function encodeGroup(records: readonly LogRecord[], group: GroupHeader): EncodedBatch[] {
  const cuts = cutIntoBatches(records);
  let { firstOffset } = group;
  return cuts.map((cut, index) => {
    const batch = encodeBatch(cut, { ...group, firstOffset }, cuts.length - index - 1);
    firstOffset += cut.records.length;
    return batch;
  });
}

/** A group of one batch without records. Its header says that everything before it is durable. */
export function encodeMarker(group: GroupHeader): EncodedBatch {
  return encodeBatch({ records: [], bytes: 0 }, group, 0);
}

function encodeBatch(cut: Cut, group: GroupHeader, batchesLeft: number): EncodedBatch {
  const { firstOffset, appendedAt, syncedLength, salt } = group;
  const { records } = cut;
  const bytes = BATCH_HEADER_BYTES + cut.bytes;
  const header = { bytes, firstOffset, appendedAt, syncedLength, count: records.length, batchesLeft };
  const description = { firstOffset, count: records.length, appendedAt, bytes };
  const [only] = records;
  if (only !== undefined && records.length === 1 && bytes > BATCH_BYTES) {
    const start = Buffer.allocUnsafe(bytes - only.value.length);
    writeFrameStart(start, BATCH_HEADER_BYTES, only);
    writeBatchHeader(start, salt, header, only.value);
    return { ...description, buffers: [start, only.value] };
  }
  const batch = Buffer.allocUnsafe(bytes);
  let at = BATCH_HEADER_BYTES;
  for (const record of records) at = writeFrame(batch, at, record);
  writeBatchHeader(batch, salt, header);
  return { ...description, buffers: [batch] };
}

/** Cuts records into batches of up to {@link BATCH_BYTES}; a larger record is a batch of its own. */
function cutIntoBatches(records: readonly LogRecord[]): Cut[] {
  const cuts: Cut[] = [];
  let first = 0;
  let bytes = 0;
  records.forEach((record, index) => {
    const more = frameBytes(record);
    if (index > first && BATCH_HEADER_BYTES + bytes + more > BATCH_BYTES) {
      cuts.push({ records: records.slice(first, index), bytes });
      first = index;
      bytes = 0;
    }
    bytes += more;
  });
  if (records.length > first) cuts.push({ records: first === 0 ? records : records.slice(first), bytes });
  return cuts;
}
