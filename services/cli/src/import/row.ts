import type { JsonValue } from '@assay/domain';

/** Values of one row by column, in the order of the file. */
export interface Row {
  /** Line of the file in which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly (readonly [column: string, value: JsonValue])[];
}

/** What is wrong with one row. */
export interface Mistake {
  readonly line: number;
  readonly mistake: string;
}

/** Longest row in bytes: a datapoint has at most 4 MB, and escapes and quotes make its row longer. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;
