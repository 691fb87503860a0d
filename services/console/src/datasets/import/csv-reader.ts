import { FileProblem } from './file-problem.js';

/** A record of a CSV file, with the line on which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A longer cell is a quote without its end. */
const MAX_CELL = 4_000_000;
const LINE_END = /\n/g;

/**
 * Reads CSV (RFC 4180) piece by piece: quoted cells with line ends and doubled quotes, and line ends of every system. A quote within a
 * cell that does not begin with one is text. Lines without any cell are no records.
 */
export class CsvReader {
  #cells: string[] = [];
  #cell = '';
  /** `closed`: a quote within a quoted cell, which another one after it makes text. */
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #line = 1;
  #beganAt = 1;
  #isAfterReturn = false;
  readonly #end: RegExp;

  constructor(
    private readonly delimiter: string,
    private readonly onRecord: (record: CsvRecord) => void,
  ) {
    this.#end = new RegExp(`[${delimiter}\\r\\n]`, 'g');
  }

  /** @throws FileProblem for a cell that does not end */
  push(text: string): void {
    for (let at = 0; at < text.length;)
      at = this.#state === 'quoted' ? this.#inQuotes(text, at) : this.#outside(text, at);
  }

  /** @throws FileProblem for a quote without its end */
  end(): void {
    if (this.#state === 'quoted') throw new FileProblem('a quote has no end', this.#beganAt);
    if (this.#cells.length > 0 || this.#state !== 'start') this.#endRecord();
  }

  #inQuotes(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const part = text.slice(at, end);
    this.#append(part);
    this.#line += part.match(LINE_END)?.length ?? 0;
    if (quote < 0) return end;
    this.#state = 'closed';
    return end + 1;
  }

  #outside(text: string, at: number): number {
    const character = text.charAt(at);
    const isSecondOfEnd = character === '\n' && this.#isAfterReturn;
    this.#isAfterReturn = character === '\r';
    if (isSecondOfEnd) return at + 1;
    if (character === '"' && this.#state === 'closed') {
      this.#append('"');
      this.#state = 'quoted';
    } else if (character === '"' && this.#state === 'start') this.#state = 'quoted';
    else if (character === this.delimiter) this.#endCell();
    else if (character === '\n' || character === '\r') this.#endLine();
    else return this.#plain(text, at);
    return at + 1;
  }

  #plain(text: string, at: number): number {
    this.#end.lastIndex = at;
    const end = this.#end.exec(text)?.index ?? text.length;
    this.#append(text.slice(at, end));
    this.#state = 'plain';
    return end;
  }

  #append(part: string): void {
    this.#cell += part;
    if (this.#cell.length > MAX_CELL)
      throw new FileProblem(
        'a cell has more than 4,000,000 characters: a quote may have no end',
        this.#beganAt,
      );
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  #endLine(): void {
    if (this.#cells.length > 0 || this.#state !== 'start') this.#endRecord();
    this.#line++;
    this.#beganAt = this.#line;
  }

  #endRecord(): void {
    this.#endCell();
    this.onRecord({ line: this.#beganAt, cells: this.#cells });
    this.#cells = [];
  }
}

/** Returns the delimiter that the first line has most of: a comma, a semicolon or a tab. */
export function delimiterOf(beginning: string): string {
  const [line = ''] = beginning.replace(/"[^"]*"/g, '').split(/\r|\n/, 1);
  const counted = [',', ';', '\t'].map((one) => ({ one, count: line.split(one).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).one;
}
