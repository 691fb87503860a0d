/** Text of a list in JSON that was cut at a length limit. */
export interface CutList {
  /** JSON text of the list of the items before the cut; undefined when none is complete. */
  readonly complete: string | undefined;
  /** Text from the first item that is not complete. */
  readonly rest: string;
}

/** A list of objects, or an object whose first field is one. */
const LIST_START = /^\s*(?:\{\s*"[^"\\]{1,64}"\s*:\s*)?\[\s*(?=\{)/;

/**
 * Splits JSON text of a list of objects that ends in the middle, as exporters with a length limit send it. Linear in the text.
 * @returns undefined for a text that does not begin like one, or that ends outside of the list
 */
export function cutList(text: string): CutList | undefined {
  const start = LIST_START.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const scanner = new Scanner(text, start);
  const end = scanner.endOfCompleteItems();
  if (end === undefined) return undefined;
  const items = text.slice(start, end).replace(/,\s*$/, '');
  return { complete: items === '' ? undefined : `[${items}]`, rest: text.slice(Math.max(start, end)) };
}

class Scanner {
  private depth = 0;
  private isInString = false;

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {}

  /** Position after the last complete item; undefined when the list ends. */
  endOfCompleteItems(): number | undefined {
    let end = this.start;
    for (let at = this.start; at < this.text.length; at++) {
      if (this.isInString) at = this.endOfString(at);
      else if (!this.step(this.text.charCodeAt(at))) return undefined;
      if (this.depth === 0 && !this.isInString) end = at + 1;
    }
    return Math.min(end, this.text.length);
  }

  private endOfString(from: number): number {
    const quote = this.text.indexOf('"', from);
    if (quote === -1) return this.text.length;
    let slashes = 0;
    while (this.text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) this.isInString = false;
    return quote;
  }

  /** @returns whether the character is within the list */
  private step(code: number): boolean {
    if (code === 0x22) this.isInString = true;
    else if (code === 0x7b || code === 0x5b) this.depth++;
    else if (code === 0x7d || code === 0x5d) this.depth--;
    return this.depth >= 0;
  }
}
