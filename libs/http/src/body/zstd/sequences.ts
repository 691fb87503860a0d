import { ReverseBits } from './bits.js';
import { LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS, type SequenceCode } from './codes.js';
import { readFseTable, singleSymbolTable, type FseTable } from './fse-table.js';
import type { ZstdOutput } from './output.js';

/** Tables for blocks that repeat those of the block before. */
export interface SequenceTables {
  readonly literalLengths: FseTable;
  readonly offsets: FseTable;
  readonly matchLengths: FseTable;
}

/** Where the sequences of a block are, and what it shares with the blocks before it. */
export interface SequenceSection {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly previous: SequenceTables | undefined;
  /** The last three offsets, newest first. Changed by the block. */
  readonly recent: [number, number, number];
  readonly windowSize: number;
  readonly maxSize: number;
}

/**
 * Writes the literals and the matches of a block. Returns its tables, those of the block before if it has no sequences.
 * @throws RangeError when it is damaged
 */
export function executeSequences(
  section: SequenceSection,
  literals: Uint8Array,
  output: ZstdOutput,
): SequenceTables | undefined {
  const { bytes, start, end, previous } = section;
  const header = countOf(bytes, start);
  if (header.end > end) throw new RangeError('a block has no sequences');
  if (header.count === 0) {
    if (header.end !== end) throw new RangeError('a block has bytes left');
    output.bytes.set(literals, output.length);
    output.add(literals.length);
    return previous;
  }
  const { tables, end: bitsStart } = readTables(bytes, header.end, previous);
  if (bitsStart > end) throw new RangeError('sequences have no bits');
  const length = execute({ ...section, start: bitsStart }, header.count, { tables, literals, output });
  output.add(length);
  return tables;
}

function countOf(bytes: Uint8Array, start: number): { readonly count: number; readonly end: number } {
  const first = bytes[start] as number;
  const second = bytes[start + 1] as number;
  if (first < 128) return { count: first, end: start + 1 };
  if (first < 255) return { count: ((first - 128) << 8) + second, end: start + 2 };
  return { count: second + ((bytes[start + 2] as number) << 8) + 0x7f00, end: start + 3 };
}

function readTables(bytes: Uint8Array, start: number, previous: SequenceTables | undefined) {
  const modes = bytes[start] as number;
  if ((modes & 3) !== 0) throw new RangeError('modes of sequences are reserved');
  let at = start + 1;
  const read = (mode: number, code: SequenceCode, repeated: FseTable | undefined): FseTable => {
    if (mode === 0) return code.predefined;
    if (mode === 1) {
      const symbol = bytes[at++] as number;
      if (symbol > code.limits.maxSymbol) throw new RangeError('a symbol is not defined');
      return singleSymbolTable(symbol);
    }
    if (mode === 2) {
      const { table, end } = readFseTable(bytes, at, code.limits);
      at = end;
      return table;
    }
    if (repeated === undefined) throw new RangeError('there is no table to repeat');
    return repeated;
  };
  const literalLengths = read(modes >> 6, LITERAL_LENGTHS, previous?.literalLengths);
  const offsets = read((modes >> 4) & 3, OFFSETS, previous?.offsets);
  const matchLengths = read((modes >> 2) & 3, MATCH_LENGTHS, previous?.matchLengths);
  return { tables: { literalLengths, offsets, matchLengths }, end: at };
}

interface Execution {
  readonly tables: SequenceTables;
  readonly literals: Uint8Array;
  readonly output: ZstdOutput;
}

/** Returns the number of bytes written. */
function execute(
  { bytes, start, end, recent, windowSize, maxSize }: SequenceSection,
  count: number,
  { tables, literals, output }: Execution,
): number {
  const { literalLengths, offsets, matchLengths } = tables;
  const bits = new ReverseBits(bytes, start, end);
  let literalState = bits.read(literalLengths.log);
  let offsetState = bits.read(offsets.log);
  let matchState = bits.read(matchLengths.log);
  const into = output.bytes;
  const limit = output.length + maxSize;
  let to = output.length;
  let from = 0;
  for (let left = count; left > 0; left--) {
    const offsetCode = offsets.symbols[offsetState] as number;
    const matchCode = matchLengths.symbols[matchState] as number;
    const literalCode = literalLengths.symbols[literalState] as number;
    const offsetValue = (OFFSETS.bases[offsetCode] as number) + bits.read(offsetCode);
    const matchLength = valueOf(MATCH_LENGTHS, matchCode, bits);
    const literalLength = valueOf(LITERAL_LENGTHS, literalCode, bits);
    const offset = resolveOffset(recent, offsetValue, literalLength);
    if (from + literalLength > literals.length || to + literalLength + matchLength > limit)
      throw new RangeError('a sequence is too long');
    for (const last = from + literalLength; from < last;) into[to++] = literals[from++] as number;
    if (offset > Math.min(to - output.frameStart, windowSize))
      throw new RangeError('a match is too far back');
    for (const last = to + matchLength; to < last; to++) into[to] = into[to - offset] as number;
    if (left === 1) break;
    literalState = nextState(literalLengths, literalState, bits);
    matchState = nextState(matchLengths, matchState, bits);
    offsetState = nextState(offsets, offsetState, bits);
  }
  if (bits.left !== 0) throw new RangeError('sequences have a wrong number of bits');
  if (to + literals.length - from > limit) throw new RangeError('a block is too long');
  while (from < literals.length) into[to++] = literals[from++] as number;
  return to - output.length;
}

function valueOf({ bases, extraBits }: SequenceCode, code: number, bits: ReverseBits): number {
  const extra = extraBits[code] as number;
  return (bases[code] as number) + (extra === 0 ? 0 : bits.read(extra));
}

function nextState({ bases, bits: widths }: FseTable, state: number, bits: ReverseBits): number {
  return (bases[state] as number) + bits.read(widths[state] as number);
}

/** Values up to 3 name one of the last offsets, shifted by one when there are no literals. */
function resolveOffset(recent: [number, number, number], value: number, literalLength: number): number {
  const index = value > 3 ? 3 : value - 1 + (literalLength === 0 ? 1 : 0);
  if (index === 0 && value <= 3) return recent[0];
  const offset = value > 3 ? value - 3 : index === 3 ? recent[0] - 1 : (recent[index] as number);
  if (offset === 0) throw new RangeError('an offset is 0');
  if (index > 1) recent[2] = recent[1];
  recent[1] = recent[0];
  recent[0] = offset;
  return offset;
}
