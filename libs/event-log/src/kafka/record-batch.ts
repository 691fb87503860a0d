import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { LogRecord } from '../event-log.js';
import { crc32c } from './crc32c.js';
import { requestBuffers } from './request-buffers.js';
import { varintLength, writeVarint } from './varint.js';
import { toWireHeaders } from './wire-headers.js';

/** From the first offset to the checksum: int64, int32 length, int32 epoch, int8 magic, uint32 checksum. */
const CHECKSUM_AT = 17;
const SUMMED_FROM = 21;
/** From the first offset to the number of records. */
const HEAD_BYTES = 61;
/** The length field counts the bytes after it. */
const COUNTED_FROM = 12;
const MAGIC = 2;
/** Compression of the attributes. */
const NONE_CODEC = 0;
const GZIP_CODEC = 1;
/** Records of fewer bytes are not worth the work of compressing them. */
const MIN_COMPRESSED_BYTES = 4 * 1024;
const compressed = promisify<Buffer, { level: number }, Buffer>(gzip);
/** One byte of attributes and one of a timestamp delta of 0. */
const RECORD_HEAD_BYTES = 2;

/**
 * Encodes records as a record batch, the storage format of brokers: magic 2, without an idempotent producer, all with one
 * timestamp. Lengths are computed first, so that every byte is written once, directly into the buffer that is sent; the records
 * of a compressed batch are written before that.
 * Source: Apache Kafka documentation, "Record Batch" and "Record".
 */
export class RecordBatch {
  /** Bytes of each record after its length field. */
  private readonly bodies: readonly number[];
  private readonly keys: readonly number[];
  private readonly headers: readonly Buffer[];
  private readonly recordBytes: number;
  private compressed: Buffer | undefined;

  constructor(private readonly records: readonly LogRecord[]) {
    this.keys = records.map(({ key }) => Buffer.byteLength(key));
    this.headers = records.map(({ headers }) => encodedHeaders(headers));
    this.bodies = records.map(({ value }, index) => this.bodyLength(value, index));
    this.recordBytes = this.bodies.reduce((sum, body) => sum + varintLength(body) + body, 0);
  }

  get byteLength(): number {
    return HEAD_BYTES + (this.compressed?.length ?? this.recordBytes);
  }

  /** Compresses the records, in a thread of the pool, if they become smaller. To be called before {@link writeTo}. */
  async compress(): Promise<void> {
    if (this.recordBytes < MIN_COMPRESSED_BYTES) return;
    const plain = requestBuffers.take(this.recordBytes);
    this.writeRecords(plain, 0);
    const smaller = await compressed(plain, { level: constants.Z_BEST_SPEED });
    requestBuffers.release(plain);
    if (smaller.length < this.recordBytes) this.compressed = smaller;
  }

  /** Writes {@link byteLength} bytes. @param timestamp Unix milliseconds */
  writeTo(target: Buffer, start: number, timestamp: number): void {
    const records = start + HEAD_BYTES;
    const at =
      this.compressed === undefined
        ? this.writeRecords(target, records)
        : records + this.compressed.copy(target, records);
    this.writeHead(target, start, timestamp);
    target.writeUInt32BE(crc32c(target.subarray(start + SUMMED_FROM, at)), start + CHECKSUM_AT);
  }

  /** Returns where the records end. */
  private writeRecords(target: Buffer, start: number): number {
    return this.records.reduce((at, record, index) => this.writeRecord(target, at, record, index), start);
  }

  private writeHead(target: Buffer, start: number, timestamp: number): void {
    const { length } = this.records;
    let at = target.writeBigInt64BE(0n, start);
    at = target.writeInt32BE(this.byteLength - COUNTED_FROM, at);
    at = target.writeInt32BE(0, at);
    at = target.writeInt8(MAGIC, at) + 4;
    at = target.writeInt16BE(this.compressed === undefined ? NONE_CODEC : GZIP_CODEC, at);
    at = target.writeInt32BE(length - 1, at);
    at = target.writeBigInt64BE(BigInt(timestamp), at);
    at = target.writeBigInt64BE(BigInt(timestamp), at);
    at = target.writeBigInt64BE(-1n, at);
    at = target.writeInt16BE(0, at);
    at = target.writeInt32BE(0, at);
    target.writeInt32BE(length, at);
  }

  private bodyLength({ length }: Buffer, index: number): number {
    const key = this.keys[index] ?? 0;
    const headers = this.headers[index]?.length ?? 0;
    return (
      RECORD_HEAD_BYTES +
      varintLength(index) +
      varintLength(key) +
      key +
      varintLength(length) +
      length +
      headers
    );
  }

  private writeRecord(target: Buffer, start: number, { key, value }: LogRecord, index: number): number {
    let at = writeVarint(target, start, this.bodies[index] ?? 0);
    target[at++] = 0;
    target[at++] = 0;
    at = writeVarint(target, at, index);
    at = writeVarint(target, at, this.keys[index] ?? 0);
    at += target.write(key, at);
    at = writeVarint(target, at, value.length);
    target.set(value, at);
    at += value.length;
    const headers = this.headers[index] ?? NONE;
    target.set(headers, at);
    return at + headers.length;
  }
}

const NONE = Buffer.alloc(0);

/** Encoded headers by frozen header object, which the records of a project share. */
const known = new WeakMap<object, Buffer>();

function encodedHeaders(headers: LogRecord['headers']): Buffer {
  const found = known.get(headers);
  if (found !== undefined) return found;
  const wire = Object.entries(toWireHeaders(headers));
  const encoded = Buffer.concat([
    varint(wire.length),
    ...wire.flatMap(([name, value]) => [...text(name), ...text(value)]),
  ]);
  if (Object.isFrozen(headers)) known.set(headers, encoded);
  return encoded;
}

function text(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  return [varint(bytes.length), bytes];
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(varintLength(value));
  writeVarint(bytes, 0, value);
  return bytes;
}
