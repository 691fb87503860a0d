/** JSON text that was cut at a length limit. */
export interface CutJson {
  /** JSON text of what is complete: the items of a list, or the fields of an object; undefined when nothing is. */
  readonly complete: string | undefined;
  /** JSON text of the complete items of the list in which the text ends. */
  readonly items: string | undefined;
  /** Whether the text ends within a list of objects. */
  readonly isInList: boolean;
  /** Text from the first item or field that is not complete. */
  readonly rest: string;
}

/** A list of objects, or a list of such lists. */
const LIST_START = /^\s*\[\s*(?:\[\s*)?(?=\{)/;
const OBJECT_START = /^\s*\{\s*(?=")/;
/** The name of a field and the beginning of a list of objects. */
const LIST_FIELD = /^\s*"[^"\\]{1,64}"\s*:\s*(?=\[\s*(?:\[\s*)?\{)/;

/**
 * Splits JSON text of a list of objects, or of an object, that ends in the middle, as exporters with a length limit send it. A
 * list is split at its items, also as the last field of the object. Linear in the text.
 * @returns undefined for a text that does not begin like one, or that does not end within it
 */
export function cutJson(text: string): CutJson | undefined {
  return cutList(text) ?? cutObject(text);
}

function cutList(text: string): CutJson | undefined {
  const start = LIST_START.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const outer = text.indexOf('[') + 1;
  const isNested = text.lastIndexOf('[', start) >= outer;
  return (isNested ? cutItems(text, start, '[[') : undefined) ?? cutItems(text, outer, '[');
}

/** @param opening brackets of the list: a list within a list is closed twice */
function cutItems(text: string, start: number, opening: '[' | '[['): CutJson | undefined {
  const end = new Scanner(text, start).endOfComplete('item');
  if (end === undefined) return undefined;
  const found = text.slice(start, end).replace(/,\s*$/, '');
  const complete = found === '' ? undefined : `${opening}${found}${opening === '[' ? ']' : ']]'}`;
  return { complete, items: complete, isInList: true, rest: text.slice(Math.max(start, end)) };
}

function cutObject(text: string): CutJson | undefined {
  const start = OBJECT_START.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const end = new Scanner(text, start).endOfComplete('field');
  if (end === undefined) return undefined;
  const fields = text.slice(start, end).replace(/,$/, '');
  const last = text.slice(end);
  const name = LIST_FIELD.exec(last)?.[0];
  const list = name === undefined ? undefined : cutList(last.slice(name.length));
  const lastField = list?.complete === undefined ? '' : `${name}${list.complete}`;
  const complete = [fields, lastField].filter((part) => part !== '').join(',');
  return {
    complete: complete === '' ? undefined : `{${complete}}`,
    items: list?.complete,
    isInList: list !== undefined,
    rest: list?.complete === undefined ? last : list.rest,
  };
}

class Scanner {
  private depth = 0;
  private isInString = false;

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {}

  /** Position after the last complete item of a list, or after the last complete field and its comma; undefined when it ends. */
  endOfComplete(what: 'item' | 'field'): number | undefined {
    let end = this.start;
    for (let at = this.start; at < this.text.length; at++) {
      if (this.isInString) at = this.endOfString(at);
      else if (!this.step(this.text.charCodeAt(at))) return undefined;
      if (this.depth > 0 || this.isInString) continue;
      if (what === 'item' || endsField(this.text.charCodeAt(at))) end = at + 1;
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

  /** @returns whether the character is within the list or the object */
  private step(code: number): boolean {
    if (code === 0x22) this.isInString = true;
    else if (code === 0x7b || code === 0x5b) this.depth++;
    else if (code === 0x7d || code === 0x5d) this.depth--;
    return this.depth >= 0;
  }
}

/** Whether a character outside of lists, objects and texts ends a field: a comma, or the end of its list or object. */
function endsField(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d;
}
