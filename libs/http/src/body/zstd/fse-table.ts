import { bitsAt, highestBit } from './bits.js';

/** Decoding table of a finite state entropy coder: for each state its symbol, and how to find the next state. */
export interface FseTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  /** Bits that the next state adds to its base. */
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** Limits of a table that is described in the data. */
export interface FseLimits {
  readonly maxLog: number;
  readonly maxSymbol: number;
}

/** A probability of -1 is "less than 1": a single state, and a full reset after it. */
const LESS_THAN_ONE = -1;

/** Returns the table whose only symbol takes no bits. */
export function singleSymbolTable(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
}

/**
 * Reads the description of a table.
 * @param bytes followed by padding
 * @returns the table, and the position after its description @throws RangeError when it is damaged
 */
export function readFseTable(
  bytes: Uint8Array,
  start: number,
  { maxLog, maxSymbol }: FseLimits,
): { readonly table: FseTable; readonly end: number } {
  let position = start * 8;
  const read = (count: number) => {
    const value = bitsAt(bytes, position, count);
    position += count;
    return value;
  };
  const log = read(4) + 5;
  if (log > maxLog) throw new RangeError('a table is too large');
  const counts: number[] = [];
  let left = (1 << log) + 1;
  while (left > 1) {
    if (counts.length > maxSymbol || position >> 3 >= bytes.length)
      throw new RangeError('a table has no end');
    const width = highestBit(left);
    const half = 1 << width;
    const short = 2 * half - 1 - left;
    let value = bitsAt(bytes, position, width);
    if (value < short) position += width;
    else {
      value = read(width + 1);
      if (value >= half) value -= short;
    }
    const count = value - 1;
    left -= Math.abs(count);
    counts.push(count);
    if (count === 0) addZeros(counts, read);
  }
  if (left !== 1 || counts.length > maxSymbol + 1) throw new RangeError('a table has a wrong sum');
  return { table: buildFseTable(counts, log), end: (position + 7) >> 3 };
}

/** After a probability of 0 follow numbers of further zeros, as long as they are 3. */
function addZeros(counts: number[], read: (count: number) => number): void {
  for (let more = 3; more === 3 && counts.length <= 256;) {
    more = read(2);
    for (let zero = 0; zero < more; zero++) counts.push(0);
  }
}

/** Builds the table of probabilities whose sum is `2 ** log`. */
export function buildFseTable(counts: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = counts.map((count) => Math.abs(count));
  let last = size - 1;
  for (const [symbol, count] of counts.entries()) if (count === LESS_THAN_ONE) symbols[last--] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let position = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let state = 0; state < count; state++) {
      symbols[position] = symbol;
      do position = (position + step) & (size - 1);
      while (position > last);
    }
  }
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number;
    const value = next[symbol] as number;
    next[symbol] = value + 1;
    const width = log - highestBit(value);
    bits[state] = width;
    bases[state] = (value << width) - size;
  }
  return { log, symbols, bits, bases };
}
