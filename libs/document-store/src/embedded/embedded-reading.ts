import type { Condition, Document, EntryQuery, IndexEntry, ListQuery, Scalar } from '../document-store.js';
import type { Covering } from '../rules/covering-set.js';
import { decodeDocument, isStorableId } from '../rules/encode-fields.js';
import { meetsConditions } from '../rules/meets-conditions.js';
import { type KeyRange, type Narrowed, narrowed, valueOf } from './key-spaces.js';
import type { Spaces } from './spaces.js';

/** Which part of a range is read, in its order or in the opposite one. */
interface Part {
  readonly descending: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

const COMMA = 0x2c;

/** The reads of one collection. What an index alone can answer reads no document. */
export class EmbeddedConsumer<Fields extends object> {
  constructor(private readonly spaces: Spaces) {}

  document(id: Buffer): Document<Fields> | undefined {
    const text = id.toString();
    const stored = isStorableId(text) ? this.spaces.documents.get(id) : undefined;
    if (!stored) return undefined;
    const comma = stored.indexOf(COMMA);
    const version = Number(stored.toString('latin1', 1, comma));
    return decodeDocument<Fields>(text, version, stored.toString('utf8', comma + 1, stored.length - 1));
  }

  list(
    set: Covering,
    { equals, where = [], offset = 0, limit, descending = false }: ListQuery,
  ): Document<Fields>[] {
    const selected = set && narrowed(set, equals, where);
    const remaining = selected?.remaining ?? where;
    if (remaining.length === 0) return [...this.each(this.ids(selected, { descending, offset, limit }))];
    return [...page(this.matching(this.ids(selected, { descending }), remaining), offset, limit)];
  }

  entries(
    set: readonly string[],
    { equals, where = [], offset = 0, limit, descending = false }: EntryQuery,
  ): IndexEntry[] {
    return [...this.keys(narrowed(set, equals, where).ranges, { descending, offset, limit })].map(
      ({ key, value }) => ({
        id: value.toString(),
        value: valueOf(key, value),
      }),
    );
  }

  count(set: Covering, equals: Readonly<Record<string, Scalar>>, where: readonly Condition[]): number {
    const selected = set && narrowed(set, equals, where);
    const remaining = selected?.remaining ?? where;
    if (remaining.length > 0)
      return countOf(this.matching(this.ids(selected, { descending: false }), remaining));
    if (!selected) return this.spaces.documents.getKeysCount();
    return selected.ranges.reduce((sum, range) => sum + this.spaces.index.getKeysCount(range), 0);
  }

  /** Ids in the order of the index, or in their own when there is none. */
  private *ids(selected: Narrowed | undefined, part: Part): Iterable<Buffer> {
    const { descending, ...rest } = part;
    if (!selected) yield* this.spaces.documents.getKeys({ ...rest, reverse: descending });
    else for (const { value } of this.keys(selected.ranges, part)) yield value;
  }

  private *keys(ranges: readonly KeyRange[], part: Part): Iterable<{ key: Buffer; value: Buffer }> {
    const [first, ...more] = ranges;
    if (first && more.length === 0) yield* this.range(first, part);
    else yield* page(this.rangeAfterRange(ranges, part), part.offset ?? 0, part.limit ?? Infinity);
  }

  private *rangeAfterRange(
    ranges: readonly KeyRange[],
    { descending }: Part,
  ): Iterable<{ key: Buffer; value: Buffer }> {
    for (const range of descending ? [...ranges].reverse() : ranges) yield* this.range(range, { descending });
  }

  private range(
    { start, end }: KeyRange,
    { descending, ...rest }: Part,
  ): Iterable<{ key: Buffer; value: Buffer }> {
    const bounds = descending ? { start: end, end: start } : { start, end };
    return this.spaces.index.getRange({ ...bounds, ...rest, reverse: descending });
  }

  private *each(ids: Iterable<Buffer>): Iterable<Document<Fields>> {
    for (const id of ids) {
      const document = this.document(id);
      if (document) yield document;
    }
  }

  private *matching(ids: Iterable<Buffer>, where: readonly Condition[]): Iterable<Document<Fields>> {
    for (const document of this.each(ids)) if (meetsConditions(document, where)) yield document;
  }
}

function* page<T>(items: Iterable<T>, offset: number, limit: number): Iterable<T> {
  let passed = 0;
  for (const item of items) {
    if (passed++ < offset) continue;
    yield item;
    if (passed >= offset + limit) return;
  }
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) count++;
  return count;
}
