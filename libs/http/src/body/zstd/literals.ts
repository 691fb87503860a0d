import { decodeLiterals, readHuffmanTable, type HuffmanTable } from './huffman.js';

/** Literals of a block, and where its sequences begin. */
export interface Literals {
  readonly literals: Uint8Array;
  readonly end: number;
  /** The table for following blocks that bring none. */
  readonly table: HuffmanTable | undefined;
}

const STREAMS = 4;
const JUMP_TABLE_BYTES = 6;

interface CompressedHeader {
  readonly size: number;
  readonly compressed: number;
  readonly streams: number;
  readonly start: number;
}

/**
 * Reads the literals section of a block of `end` bytes.
 * @param previous the table of an earlier block of the frame
 * @throws RangeError when it is damaged
 */
export function readLiterals(
  bytes: Uint8Array,
  end: number,
  maxSize: number,
  previous: HuffmanTable | undefined,
): Literals {
  const type = (bytes[0] as number) & 3;
  if (type < 2) return plainLiterals(bytes, end, maxSize, previous);
  const { size, compressed, streams, start } = compressedHeader(bytes);
  const dataEnd = start + compressed;
  if (size > maxSize || dataEnd > end) throw new RangeError('literals are too long');
  const described = type === 2 ? readHuffmanTable(bytes, start) : { table: previous, end: start };
  const { table } = described;
  if (table === undefined || described.end > dataEnd) throw new RangeError('literals have no table');
  const literals = new Uint8Array(size);
  const range = { start: described.end, end: dataEnd };
  if (streams === 1) decodeLiterals(table, bytes, range, literals);
  else decodeStreams(table, bytes, range, literals);
  return { literals, end: dataEnd, table };
}

/** Literals as they are, or one byte repeated. */
function plainLiterals(
  bytes: Uint8Array,
  end: number,
  maxSize: number,
  table: HuffmanTable | undefined,
): Literals {
  const first = bytes[0] as number;
  const width = (first & 4) === 0 ? 1 : (first & 8) === 0 ? 2 : 3;
  const three = first | ((bytes[1] as number) << 8) | ((bytes[2] as number) << 16);
  const size = width === 1 ? first >> 3 : width === 2 ? (three & 0xffff) >> 4 : three >>> 4;
  const isRepeated = (first & 3) === 1;
  const dataEnd = width + (isRepeated ? 1 : size);
  if (size > maxSize || dataEnd > end) throw new RangeError('literals are too long');
  const literals = isRepeated
    ? new Uint8Array(size).fill(bytes[width] as number)
    : bytes.subarray(width, dataEnd);
  return { literals, end: dataEnd, table };
}

function compressedHeader(bytes: Uint8Array): CompressedHeader {
  const first = bytes[0] as number;
  const format = (first >> 2) & 3;
  const low = (first | ((bytes[1] as number) << 8) | ((bytes[2] as number) << 16)) >>> 4;
  const streams = format === 0 ? 1 : STREAMS;
  if (format < 2) return { size: low & 0x3ff, compressed: low >>> 10, streams, start: 3 };
  const four = low + (bytes[3] as number) * 0x10_0000;
  if (format === 2) return { size: four & 0x3fff, compressed: four >>> 14, streams, start: 4 };
  const compressed = (four >>> 18) + (bytes[4] as number) * 0x400;
  return { size: four & 0x3_ffff, compressed, streams, start: 5 };
}

/** Four streams with equal numbers of literals, but for the last. The lengths of the first three precede them. */
function decodeStreams(
  table: HuffmanTable,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  literals: Uint8Array,
): void {
  const each = (literals.length + STREAMS - 1) >> 2;
  if (start + JUMP_TABLE_BYTES > end || each * 3 > literals.length)
    throw new RangeError('streams are missing');
  let at = start + JUMP_TABLE_BYTES;
  for (let stream = 0; stream < STREAMS; stream++) {
    const header = start + 2 * stream;
    const length = (bytes[header] as number) | ((bytes[header + 1] as number) << 8);
    const next = stream === STREAMS - 1 ? end : at + length;
    if (next > end) throw new RangeError('streams are too long');
    decodeLiterals(
      table,
      bytes,
      { start: at, end: next },
      literals.subarray(stream * each, (stream + 1) * each),
    );
    at = next;
  }
}
