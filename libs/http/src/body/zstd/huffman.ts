import { highestBit, ReverseBits } from './bits.js';
import { readFseTable } from './fse-table.js';

/** Decoding table of literals: for each possible next `log` bits a symbol, and in the upper byte the bits that it takes. */
export interface HuffmanTable {
  readonly log: number;
  readonly entries: Uint16Array;
}

const MAX_LOG = 11;
const MAX_WEIGHTS = 255;
const DIRECT = 128;

/** Reads the description of a table. @throws RangeError when it is damaged */
export function readHuffmanTable(
  bytes: Uint8Array,
  start: number,
): { readonly table: HuffmanTable; readonly end: number } {
  const header = bytes[start] as number;
  const first = start + 1;
  if (header >= DIRECT) {
    const count = header - DIRECT + 1;
    const weights = Array.from({ length: count }, (_, index) => {
      const pair = bytes[first + (index >> 1)] as number;
      return index % 2 === 0 ? pair >> 4 : pair & 15;
    });
    return { table: buildTable(weights), end: first + ((count + 1) >> 1) };
  }
  const end = first + header;
  return { table: buildTable(readWeights(bytes, first, end)), end };
}

/** Reads weights that two states of one coder write in turn, until the bits end. */
function readWeights(bytes: Uint8Array, start: number, end: number): number[] {
  const { table, end: from } = readFseTable(bytes, start, { maxLog: 6, maxSymbol: MAX_LOG + 1 });
  if (from > end) throw new RangeError('weights have no bits');
  const bits = new ReverseBits(bytes, from, end);
  const states: [number, number] = [bits.read(table.log), bits.read(table.log)];
  if (bits.left < 0) throw new RangeError('weights have too few bits');
  const weights: number[] = [];
  for (let turn = 0; weights.length < MAX_WEIGHTS; turn = 1 - turn) {
    const state = states[turn] as number;
    weights.push(table.symbols[state] as number);
    states[turn] = (table.bases[state] as number) + bits.read(table.bits[state] as number);
    if (bits.left >= 0) continue;
    weights.push(table.symbols[states[1 - turn] as number] as number);
    return weights;
  }
  throw new RangeError('there are too many weights');
}

/** The weight of the last symbol is not written: it completes the sum to a power of two. */
function buildTable(written: readonly number[]): HuffmanTable {
  const sum = written.reduce((total, weight) => total + ((1 << weight) >> 1), 0);
  if (sum === 0 || written.some((weight) => weight > MAX_LOG)) throw new RangeError('weights are invalid');
  const log = highestBit(sum) + 1;
  const rest = (1 << log) - sum;
  if (log > MAX_LOG || (rest & (rest - 1)) !== 0) throw new RangeError('weights have a wrong sum');
  const weights = [...written, highestBit(rest) + 1];
  if (weights.length > MAX_WEIGHTS + 1) throw new RangeError('there are too many weights');
  const entries = new Uint16Array(1 << log);
  let position = 0;
  for (let weight = 1; weight <= log; weight++) {
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue;
      const width = (1 << weight) >> 1;
      entries.fill(((log + 1 - weight) << 8) | symbol, position, position + width);
      position += width;
    }
  }
  return { log, entries };
}

/** A part of the bytes of a block. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Decodes one stream of literals.
 * @param bytes followed by padding
 * @throws RangeError unless the literals take exactly its bits
 */
export function decodeLiterals(
  { log, entries }: HuffmanTable,
  bytes: Uint8Array,
  { start, end }: ByteRange,
  literals: Uint8Array,
): void {
  let { left } = new ReverseBits(bytes, start, end);
  const mask = (1 << log) - 1;
  const count = literals.length;
  for (let index = 0; index < count; index++) {
    const low = left - log;
    const at = start + (low > 0 ? low >> 3 : 0);
    const three =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    const code = low >= 0 ? (three >>> (low & 7)) & mask : (three << -low) & mask;
    const entry = entries[code] as number;
    literals[index] = entry & 255;
    left -= entry >> 8;
    if (left < 0) throw new RangeError('literals end early');
  }
  if (left !== 0) throw new RangeError('literals have bits left');
}
