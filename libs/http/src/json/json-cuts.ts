/** Bytes of a piece: a few milliseconds of parsing when its values are short. */
export const PIECE_BYTES = 131_072;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const COLON = 0x3a;

/** A list or an object that is open at a comma. The cuts behind which it stays open refer to the same one. */
export interface OpenContainer {
  readonly at: number;
  readonly isList: boolean;
  /** Its key in the object that contains it. */
  readonly key: string | undefined;
}

/** A comma at which JSON text can be divided. */
export interface JsonCut {
  readonly offset: number;
  /** What is open there, from the outermost. */
  readonly open: readonly OpenContainer[];
}

/** Collects the commas at which a text can be divided into pieces of `pieceBytes` and a little more. */
export class CutList {
  readonly all: JsonCut[] = [];
  #cutAt = 0;
  /** Offset of the container that is open at each depth. */
  readonly #openAt: Int32Array;

  constructor(
    private readonly bytes: Buffer,
    maxDepth: number,
    private readonly pieceBytes: number,
  ) {
    this.#openAt = new Int32Array(maxDepth + 1);
  }

  open(at: number, depth: number): void {
    this.#openAt[depth] = at;
  }

  /** Call it for each comma outside of texts, with the number of containers that are open. */
  comma(at: number, depth: number): void {
    if (at - this.#cutAt < this.pieceBytes || depth === 0) return;
    this.#cutAt = at;
    const before = this.all.at(-1)?.open ?? [];
    const open: OpenContainer[] = [];
    for (let level = 0; level < depth; level++) {
      const openAt = this.#openAt[level + 1] ?? 0;
      const known = before[level];
      open.push(known?.at === openAt ? known : this.#container(openAt, open.at(-1)));
    }
    this.all.push({ offset: at, open });
  }

  #container(at: number, parent: OpenContainer | undefined): OpenContainer {
    const key = parent === undefined || parent.isList ? undefined : keyBefore(this.bytes, at);
    return { at, isList: this.bytes[at] === OPEN_LIST, key };
  }
}

/** Returns the key of the value at an offset; undefined when the text is no JSON, which the parser finds. */
function keyBefore(bytes: Buffer, at: number): string | undefined {
  const colon = lastBefore(bytes, at);
  const end = lastBefore(bytes, colon);
  if (bytes[colon] !== COLON || bytes[end] !== QUOTE) return undefined;
  let start = bytes.lastIndexOf(QUOTE, end - 1);
  while (start > 0 && isEscaped(bytes, start)) start = bytes.lastIndexOf(QUOTE, start - 1);
  return parsedText(bytes.toString('utf8', Math.max(start, 0), end + 1));
}

/** Returns the offset of the last byte before `at` that is no white space. */
function lastBefore(bytes: Buffer, at: number): number {
  let before = at - 1;
  while (before > 0 && (bytes[before] ?? 0) <= 0x20) before--;
  return before;
}

function isEscaped(bytes: Buffer, quote: number): boolean {
  let at = quote;
  while (bytes[at - 1] === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}

function parsedText(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
