/** Items that are read page by page: a page is encoded before the next one is read. */
export type Pages<T> = AsyncIterable<Iterable<T>>;

/** A value that was encoded already, or several with commas in between, in pieces of text that follow each other. */
export class EncodedJson {
  constructor(readonly texts: readonly string[]) {}
}

type StreamedList<T> = T extends readonly (infer Item)[]
  ? T | Iterable<Item | EncodedJson> | Pages<Item | EncodedJson>
  : T;

/** A list, or an object of which any field that is a list may be streamed. */
export type StreamedContent<T> = T extends readonly unknown[]
  ? StreamedList<T>
  : { readonly [Name in keyof T]: StreamedList<T[Name]> };

/**
 * A response body whose lists are encoded one item at a time, so that neither the event loop nor the memory depends on
 * their length. A small one is sent like any other response. The items of an `Iterable` may be derived lazily: that counts
 * as work of the project too.
 */
export class JsonStream<T> {
  /** Call when the response has ended. */
  readonly release: (() => void) | undefined;

  constructor(
    readonly content: StreamedContent<T>,
    { release }: StreamOptions = {},
  ) {
    this.release = release;
  }

  /** Whether a list is read while the response is encoded. */
  get isRead(): boolean {
    const fields: unknown[] = Object.values(this.content as object);
    return isPages(this.content) || fields.some(isPages);
  }

  /** Whether a list is read while the response is sent, as fast as the client takes it. */
  get isPaged(): boolean {
    return this.release === undefined && this.isRead;
  }
}

export interface StreamOptions {
  /**
   * For pages that are in memory, or on their way there, however slow the client is: called when the response has ended, also after
   * a failure. Idempotent.
   */
  readonly release?: () => void;
}

/** Returns a response body whose lists are streamed. */
export function streamJson<T>(content: StreamedContent<T>, options?: StreamOptions): JsonStream<T> {
  return new JsonStream(content, options);
}

/** A response body with one item per line (`application/x-ndjson`), each page of which is read while it is sent. */
export class LineStream {
  constructor(readonly pages: Pages<unknown>) {}
}

/** Converts the items of each page lazily. */
export async function* mapPages<T, R>(
  pages: Pages<T> | Iterable<Iterable<T>>,
  map: (item: T) => R,
): AsyncGenerator<Iterable<R>> {
  for await (const page of pages) yield mapItems(page, map);
}

/** Converts items lazily, one at a time. */
export function* mapItems<T, R>(items: Iterable<T>, map: (item: T) => R): Generator<R> {
  for (const item of items) yield map(item);
}

export function isPages(value: unknown): value is Pages<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** From this length on, a list of objects in a plain response is encoded one item at a time. */
const LONG_LIST = 64;

/** Returns whether an object has a long list of objects, whose encoding could take long. */
export function hasLongList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const lists: unknown[] = Array.isArray(value) ? [value] : Object.values(value);
  return lists.some((list) => Array.isArray(list) && list.length >= LONG_LIST && typeof list[0] === 'object');
}
