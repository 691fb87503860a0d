import type { LogRecord } from '../../event-log.js';

// A frame: u32 key bytes, u32 value bytes, u32 header bytes, key, headers as one JSON object, value. Numbers
// are little endian, texts UTF-8.
const FIXED_BYTES = 12;

/**
 * The bytes of headers by the object that holds them: records of one sender often share one, and headers
 * never change.
 */
const encodedHeaders = new WeakMap<object, Buffer>();

/** Bytes of the record's frame. */
export function frameBytes({ key, value, headers }: LogRecord): number {
  return FIXED_BYTES + Buffer.byteLength(key) + encodeHeaders(headers).length + value.length;
}

/** Bytes of the record's headers in its frame. */
export function headerBytes(headers: LogRecord['headers']): number {
  return encodeHeaders(headers).length;
}

/**
 * Writes the record's frame at `start`, except for its value.
 * @returns the position of the value
 */
export function writeFrameStart(target: Buffer, start: number, { key, value, headers }: LogRecord): number {
  const encoded = encodeHeaders(headers);
  const keyBytes = target.write(key, start + FIXED_BYTES);
  target.writeUInt32LE(keyBytes, start);
  target.writeUInt32LE(value.length, start + 4);
  target.writeUInt32LE(encoded.length, start + 8);
  const at = start + FIXED_BYTES + keyBytes;
  encoded.copy(target, at);
  return at + encoded.length;
}

/** Writes the record's frame at `start` and returns the position after it. */
export function writeFrame(target: Buffer, start: number, record: LogRecord): number {
  const at = writeFrameStart(target, start, record);
  record.value.copy(target, at);
  return at + record.value.length;
}

function encodeHeaders(headers: LogRecord['headers']): Buffer {
  const known = encodedHeaders.get(headers);
  if (known) return known;
  const encoded = Buffer.from(JSON.stringify(headers));
  encodedHeaders.set(headers, encoded);
  return encoded;
}

/**
 * Reads frames one after the other. Records whose headers have the same bytes as those before share one
 * object.
 */
export class FrameReader {
  private last: { readonly bytes: Buffer; readonly headers: LogRecord['headers'] } | undefined;

  constructor(private readonly source: Buffer) {}

  /**
   * The record that starts at `start`, and the position after it. The value is a view of the source, not a
   * copy.
   */
  read(start: number): { key: string; value: Buffer; headers: LogRecord['headers']; end: number } {
    const { source } = this;
    const keyEnd = start + FIXED_BYTES + source.readUInt32LE(start);
    const valueStart = keyEnd + source.readUInt32LE(start + 8);
    const end = valueStart + source.readUInt32LE(start + 4);
    const key = source.toString('utf8', start + FIXED_BYTES, keyEnd);
    return { key, value: source.subarray(valueStart, end), headers: this.headers(keyEnd, valueStart), end };
  }

  private headers(start: number, end: number): LogRecord['headers'] {
    const { last, source } = this;
    if (last && source.compare(last.bytes, 0, last.bytes.length, start, end) === 0) return last.headers;
    const bytes = source.subarray(start, end);
    const headers = JSON.parse(bytes.toString()) as LogRecord['headers'];
    this.last = { bytes, headers };
    return headers;
  }
}
