/** A part of the bench: a title, the columns, and the rows as they come. */
export interface Part {
  readonly title: string;
  readonly columns: readonly string[];
  rows(filter: string): AsyncGenerator<readonly (string | number)[]>;
}
