/** Bytes of a record batch up to its records, and where its fields are. Source: Apache Kafka documentation, "Record Batch". */
const HEAD_BYTES = 61;
const LENGTH_AT = 8;
/** The length field counts the bytes after it. */
const COUNTED_FROM = 12;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 21;
const MAGIC = 2;
const CODEC_MASK = 7;
const GZIP = 1;
/** The last field of a gzip member: its size before compression. */
const SIZE_BYTES = 4;
/** A length that no response has room for, so that the client takes the batch for one that the broker has cut off. */
const CUT = 0x7fffffff;
/** First offset and timestamps of an aborted transaction. */
const ABORTED_BYTES = 16;

export interface FetchLimits {
  /** Bytes of the batches of one partition before compression, beyond its first batch. */
  readonly partitionBytes: number;
  /** The same of all partitions. */
  readonly totalBytes: number;
}

/**
 * Cuts a fetch response off, in place, so that its records take a bounded memory when they are decompressed: a broker counts compressed bytes,
 * and records of repeated text become many times larger. What is cut off is fetched again later, as the end of a response that the broker
 * has cut off. At least one batch of each partition stays.
 * Source: Apache Kafka protocol guide, "Fetch Response" (versions 4 to 11).
 */
export function cutFetchResponse(response: Buffer, version: number, limits: FetchLimits): void {
  const reader = new Reader(response);
  let left = limits.totalBytes;
  reader.skip(version >= 7 ? 10 : 4);
  for (let topics = reader.int32(); topics > 0; topics -= 1) {
    reader.skip(reader.int16());
    for (let partitions = reader.int32(); partitions > 0; partitions -= 1) {
      // Partition, error, high watermark and last stable offset; from version 5 on the start of the log.
      reader.skip(version >= 5 ? 30 : 22);
      reader.skip(Math.max(0, reader.int32()) * ABORTED_BYTES);
      if (version >= 11) reader.skip(4);
      const bytes = Math.max(0, reader.int32());
      const records = response.subarray(reader.at, reader.at + bytes);
      left -= cutBatches(records, Math.min(limits.partitionBytes, left));
      reader.skip(bytes);
    }
  }
}

/** Returns the bytes, before compression, of the batches that stay. */
function cutBatches(records: Buffer, maxBytes: number): number {
  let used = 0;
  for (let at = 0; at + HEAD_BYTES <= records.length;) {
    const end = at + COUNTED_FROM + records.readInt32BE(at + LENGTH_AT);
    if (end < at + HEAD_BYTES || end > records.length || records.readInt8(at + MAGIC_AT) !== MAGIC) break;
    const isGzip = (records.readInt16BE(at + ATTRIBUTES_AT) & CODEC_MASK) === GZIP;
    const bytes = isGzip ? records.readUInt32LE(end - SIZE_BYTES) : end - at;
    if (used > 0 && used + bytes > maxBytes) {
      records.writeInt32BE(CUT, at + LENGTH_AT);
      break;
    }
    used += bytes;
    at = end;
  }
  return used;
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  skip(bytes: number): void {
    this.at += bytes;
  }

  int16(): number {
    this.at += 2;
    return this.bytes.readInt16BE(this.at - 2);
  }

  int32(): number {
    this.at += 4;
    return this.bytes.readInt32BE(this.at - 4);
  }
}
