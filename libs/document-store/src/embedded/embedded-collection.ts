import type { AppError } from '@assay/errors';
import type { Database, RootDatabase } from 'lmdb';
import type { CollectionSpec, Condition, Document, DocumentCollection, ListQuery, NewDocument, Scalar } from '../document-store.js';
import { checkBulk, checkConditions, checkListQuery, checkScalars, uniqueSetOf } from '../rules/check-query.js';
import { countingSet, coveringSet, type Covering } from '../rules/covering-set.js';
import { checkId, conflict, documentOf, encodeFields, fieldsOf, isStorableId } from '../rules/encode-fields.js';
import { meetsConditions } from '../rules/meets-conditions.js';
import { uniqueKey } from '../rules/unique-key.js';
import { indexKeys, narrowedRange, type Narrowed, uniqueKeys } from './key-spaces.js';

/** The three key spaces of a collection. */
export interface Spaces {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** id → `[version, fields]` as JSON text. */
  readonly documents: Database<Buffer, Buffer>;
  /** Entries of `indexKeys` → id. */
  readonly index: Database<Buffer, Buffer>;
  /** Entries of `uniqueKeys` → id. */
  readonly unique: Database<Buffer, Buffer>;
}

/** Runs an access to LMDB; a failure of the engine becomes `UNAVAILABLE`. */
export type Access = <T>(action: () => T | Promise<T>) => Promise<T>;

/** A write: its result, or why it is refused. Decided before anything is put, because LMDB keeps the puts of a callback that throws. */
type Outcome<T> = { readonly done: T } | { readonly refused: AppError };

/** Documents, index and unique entries change in one transaction; LMDB runs the transactions one after the other. */
export class EmbeddedCollection<Fields extends object> implements DocumentCollection<Fields> {
  constructor(
    private readonly spec: CollectionSpec,
    private readonly spaces: Spaces,
    private readonly access: Access,
  ) {}

  async insert(id: string, fields: Fields): Promise<Document<Fields>> {
    checkId(id);
    const json = encodeFields(this.spec, fields);
    return this.write<Document<Fields>>(() => {
      if (this.spaces.documents.doesExist(Buffer.from(id))) return { refused: conflict(this.spec, ['id']) };
      const taken = this.takenSet(id, fields);
      if (taken) return { refused: conflict(this.spec, taken) };
      this.put(id, 1, fields, json);
      return { done: documentOf(id, 1, fields) };
    });
  }

  async insertMissing(documents: readonly NewDocument<Fields>[]): Promise<void> {
    checkBulk(documents);
    documents.forEach(({ id }) => checkId(id));
    const encoded = documents.map(({ id, fields }) => ({ id, fields, json: encodeFields(this.spec, fields) }));
    await this.write<void>(() => {
      for (const { id, fields, json } of encoded) {
        if (this.spaces.documents.doesExist(Buffer.from(id))) continue;
        const taken = this.takenSet(id, fields);
        if (taken) return { refused: conflict(this.spec, taken) };
        this.put(id, 1, fields, json);
      }
      return { done: undefined };
    });
  }

  get(id: string): Promise<Document<Fields> | undefined> {
    return this.access(() => this.read(Buffer.from(id)));
  }

  async findUnique(values: Readonly<Record<string, Scalar>>): Promise<Document<Fields> | undefined> {
    checkScalars(values);
    const key = uniqueKey(uniqueSetOf(this.spec, values), values);
    return this.access(() => {
      const id = key === undefined ? undefined : this.spaces.unique.get(Buffer.from(key));
      return id && this.read(id);
    });
  }

  async replace(document: Document<Fields>): Promise<Document<Fields> | undefined> {
    const { id, version } = document;
    const fields = fieldsOf(document) as Fields;
    const json = encodeFields(this.spec, fields);
    return this.write<Document<Fields> | undefined>(() => {
      const stored = this.read(Buffer.from(id));
      if (stored?.version !== version) return { done: undefined };
      const taken = this.takenSet(id, fields);
      if (taken) return { refused: conflict(this.spec, taken) };
      this.removeEntries(stored);
      this.put(id, version + 1, fields, json);
      return { done: documentOf(id, version + 1, fields) };
    });
  }

  delete(id: string): Promise<boolean> {
    return this.write(() => ({ done: this.remove(id) }));
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    checkBulk(ids);
    await this.write(() => {
      for (const id of ids) this.remove(id);
      return { done: undefined };
    });
  }

  async list(query: ListQuery): Promise<readonly Document<Fields>[]> {
    checkListQuery(query);
    checkConditions(this.spec, query.where ?? []);
    const set = coveringSet(this.spec, query.equals, query.orderBy);
    return this.access(() => this.documentsOf(set, query));
  }

  async count(equals: Readonly<Record<string, Scalar>>, where: readonly Condition[] = []): Promise<number> {
    checkScalars(equals);
    checkConditions(this.spec, where);
    const set = countingSet(this.spec, equals);
    return this.access(() => this.countIn(set && narrowedRange(set, equals, where), where));
  }

  /** Enters every document into the index and unique spaces anew: what they hold follows from the documents and the specification. */
  async rebuild(): Promise<void> {
    await this.write(() => {
      this.spaces.index.clearSync();
      this.spaces.unique.clearSync();
      for (const id of this.spaces.documents.getKeys()) {
        const document = this.read(id);
        if (document) this.putEntries(document.id, fieldsOf(document));
      }
      return { done: undefined };
    });
  }

  private async write<T>(decide: () => Outcome<T>): Promise<T> {
    const outcome = await this.access(() => this.spaces.root.transaction(decide));
    if ('refused' in outcome) throw outcome.refused;
    return outcome.done;
  }

  private read(id: Buffer): Document<Fields> | undefined {
    const stored = isStorableId(id.toString()) ? this.spaces.documents.get(id) : undefined;
    if (!stored) return undefined;
    const [version, fields] = JSON.parse(stored.toString()) as [number, Fields];
    return documentOf(id.toString(), version, fields);
  }

  private documentsOf(set: Covering, query: ListQuery): Document<Fields>[] {
    const { where = [], offset = 0, limit, descending = false } = query;
    const narrowed = set && narrowedRange(set, query.equals, where);
    const remaining = narrowed?.remaining ?? where;
    if (remaining.length === 0) return [...this.readEach(this.ids(narrowed, { descending, offset, limit }))];
    return firstOf(this.matching(this.ids(narrowed, { descending }), remaining), offset, limit);
  }

  private countIn(narrowed: Narrowed | undefined, where: readonly Condition[]): number {
    const remaining = narrowed?.remaining ?? where;
    if (remaining.length > 0) return countOf(this.matching(this.ids(narrowed, {}), remaining));
    return narrowed ? this.spaces.index.getKeysCount(narrowed.range) : this.spaces.documents.getKeysCount();
  }

  /** Ids in the order of the index, or in their own when there is none. */
  private *ids(narrowed: Narrowed | undefined, part: { descending?: boolean; offset?: number; limit?: number }): Iterable<Buffer> {
    const { descending = false, ...rest } = part;
    const range = narrowed?.range;
    const bounds = descending ? { start: range?.end, end: range?.start } : range;
    const options = { ...bounds, ...rest, reverse: descending };
    if (!range) yield* this.spaces.documents.getKeys(options);
    else for (const { value } of this.spaces.index.getRange(options)) yield value;
  }

  private *readEach(ids: Iterable<Buffer>): Iterable<Document<Fields>> {
    for (const id of ids) {
      const document = this.read(id);
      if (document) yield document;
    }
  }

  private *matching(ids: Iterable<Buffer>, where: readonly Condition[]): Iterable<Document<Fields>> {
    for (const document of this.readEach(ids)) if (meetsConditions(document, where)) yield document;
  }

  /** The first unique set of these fields that belongs to another document. */
  private takenSet(id: string, fields: object): readonly string[] | undefined {
    const isTaken = (key: Buffer) => (this.spaces.unique.get(key)?.toString() ?? id) !== id;
    return uniqueKeys(this.spec, fields).find(({ key }) => isTaken(key))?.set;
  }

  private remove(id: string): boolean {
    const stored = this.read(Buffer.from(id));
    if (!stored) return false;
    this.removeEntries(stored);
    void this.spaces.documents.remove(Buffer.from(id));
    return true;
  }

  private put(id: string, version: number, fields: object, json: string): void {
    void this.spaces.documents.put(Buffer.from(id), Buffer.from(`[${version},${json}]`));
    this.putEntries(id, fields);
  }

  private putEntries(id: string, fields: object): void {
    const value = Buffer.from(id);
    for (const key of indexKeys(this.spec, id, fields)) void this.spaces.index.put(key, value);
    for (const { key } of uniqueKeys(this.spec, fields)) void this.spaces.unique.put(key, value);
  }

  private removeEntries(document: Document<Fields>): void {
    const fields = fieldsOf(document);
    for (const key of indexKeys(this.spec, document.id, fields)) void this.spaces.index.remove(key);
    for (const { key } of uniqueKeys(this.spec, fields)) void this.spaces.unique.remove(key);
  }
}

function firstOf<T>(items: Iterable<T>, offset: number, limit: number): T[] {
  const page: T[] = [];
  let passed = 0;
  for (const item of items) {
    if (passed++ < offset) continue;
    page.push(item);
    if (page.length === limit) break;
  }
  return page;
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) count++;
  return count;
}
