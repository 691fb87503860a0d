import { buildFseTable, type FseLimits, type FseTable } from './fse-table.js';

/** A kind of symbol of a sequence: the values that its codes stand for, its limits, and the table that needs no description. */
export interface SequenceCode {
  readonly bases: readonly number[];
  readonly extraBits: readonly number[];
  readonly limits: FseLimits;
  readonly predefined: FseTable;
}

/** Codes below the first width have their own values; each of the others stands for `2 ** bits` of them. */
function codesFrom(first: number, plain: number, widths: readonly number[]) {
  const extraBits = [...Array.from({ length: plain }, () => 0), ...widths];
  let next = first;
  const bases = extraBits.map((bits) => {
    const base = next;
    next += 2 ** bits;
    return base;
  });
  return { bases, extraBits };
}

const times = (count: number, value: number) => Array.from({ length: count }, () => value);

const lengths = codesFrom(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
export const LITERAL_LENGTHS: SequenceCode = {
  ...lengths,
  limits: { maxLog: 9, maxSymbol: 35 },
  predefined: buildFseTable(
    [4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...times(4, -1)],
    6,
  ),
};

const matches = codesFrom(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
export const MATCH_LENGTHS: SequenceCode = {
  ...matches,
  limits: { maxLog: 9, maxSymbol: 52 },
  predefined: buildFseTable([1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)], 6),
};

/** The code of an offset is the number of its extra bits. */
const offsets = codesFrom(
  1,
  0,
  Array.from({ length: 32 }, (_, code) => code),
);
export const OFFSETS: SequenceCode = {
  ...offsets,
  limits: { maxLog: 8, maxSymbol: 31 },
  predefined: buildFseTable([...times(6, 1), ...times(3, 2), ...times(15, 1), ...times(5, -1)], 5),
};
