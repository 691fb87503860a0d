import type { AppError } from '@assay/errors';
import type {
  CollectionSpec,
  Condition,
  Document,
  DocumentCollection,
  EntryQuery,
  IndexEntry,
  ListQuery,
  NewDocument,
  Scalar,
} from '../document-store.js';
import {
  checkBulk,
  checkConditions,
  checkEntryQuery,
  checkListQuery,
  checkScalars,
  uniqueSetOf,
} from '../rules/check-query.js';
import { countingSet, coveringSet } from '../rules/covering-set.js';
import { checkId, conflict, documentOf, encodeFields, fieldsOf } from '../rules/encode-fields.js';
import { uniqueKey } from '../rules/unique-key.js';
import { EmbeddedConsumer } from './embedded-reading.js';
import { indexKeys, uniqueKeys } from './key-spaces.js';
import type { Spaces } from './spaces.js';

/** Runs an access to LMDB; a failure of the engine becomes `UNAVAILABLE`. */
export type Access = <T>(action: () => T | Promise<T>) => Promise<T>;

/** A write: its result, or why it is refused. Decided before anything is put, because LMDB keeps the puts of a callback that throws. */
type Outcome<T> = { readonly done: T } | { readonly refused: AppError };

/** New content for a document of this version. */
interface Change<Fields> {
  readonly id: string;
  readonly version: number;
  readonly fields: Fields;
  readonly json: string;
}

/** Documents, index and unique entries change in one transaction; LMDB runs the transactions one after the other. */
export class EmbeddedCollection<Fields extends object> implements DocumentCollection<Fields> {
  private readonly reading: EmbeddedConsumer<Fields>;

  constructor(
    private readonly spec: CollectionSpec,
    private readonly spaces: Spaces,
    private readonly access: Access,
  ) {
    this.reading = new EmbeddedConsumer(spaces);
  }

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

  async insertMissing(documents: readonly NewDocument<Fields>[]): Promise<boolean> {
    checkBulk(documents);
    documents.forEach(({ id }) => checkId(id));
    const encoded = documents.map(({ id, fields }) => ({
      id,
      fields,
      json: encodeFields(this.spec, fields),
    }));
    return this.write<boolean>(() => {
      let allNew = true;
      for (const { id, fields, json } of encoded) {
        if (this.spaces.documents.doesExist(Buffer.from(id))) {
          allNew = false;
          continue;
        }
        const taken = this.takenSet(id, fields);
        if (taken) return { refused: conflict(this.spec, taken) };
        this.put(id, 1, fields, json);
      }
      return { done: allNew };
    });
  }

  get(id: string): Promise<Document<Fields> | undefined> {
    return this.access(() => this.reading.document(Buffer.from(id)));
  }

  async getAll(ids: readonly string[]): Promise<readonly Document<Fields>[]> {
    checkBulk(ids);
    return this.access(() => [...new Set(ids)].flatMap((id) => this.reading.document(Buffer.from(id)) ?? []));
  }

  async findUnique(values: Readonly<Record<string, Scalar>>): Promise<Document<Fields> | undefined> {
    checkScalars(values);
    const key = uniqueKey(uniqueSetOf(this.spec, values), values);
    return this.access(() => {
      const id = key === undefined ? undefined : this.spaces.unique.get(Buffer.from(key));
      return id && this.reading.document(id);
    });
  }

  async replace(document: Document<Fields>): Promise<Document<Fields> | undefined> {
    const change = this.changeTo(document);
    return this.write<Document<Fields> | undefined>(() => {
      const outcome = this.exchange(change);
      if ('refused' in outcome) return outcome;
      return {
        done: outcome.done ? documentOf(document.id, document.version + 1, change.fields) : undefined,
      };
    });
  }

  async replaceAll(documents: readonly Document<Fields>[]): Promise<boolean> {
    checkBulk(documents);
    const changes = documents.map((document) => this.changeTo(document));
    return this.write<boolean>(() => {
      let all = true;
      for (const change of changes) {
        const outcome = this.exchange(change);
        if ('refused' in outcome) return outcome;
        all &&= outcome.done;
      }
      return { done: all };
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
    return this.access(() => this.reading.list(set, query));
  }

  async entries(query: EntryQuery): Promise<readonly IndexEntry[]> {
    checkEntryQuery(query);
    checkConditions(this.spec, query.where ?? []);
    const set = coveringSet(this.spec, query.equals, query.orderBy);
    return this.access(() => this.reading.entries(set ?? [], query));
  }

  async count(equals: Readonly<Record<string, Scalar>>, where: readonly Condition[] = []): Promise<number> {
    checkScalars(equals);
    checkConditions(this.spec, where);
    const set = countingSet(this.spec, equals, where);
    return this.access(() => this.reading.count(set, equals, where));
  }

  /** Enters every document into the index and unique spaces anew: what they hold follows from the documents and the specification. */
  async rebuild(): Promise<void> {
    await this.write(() => {
      this.spaces.index.clearSync();
      this.spaces.unique.clearSync();
      for (const id of this.spaces.documents.getKeys()) {
        const document = this.reading.document(id);
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

  private changeTo(document: Document<Fields>): Change<Fields> {
    const fields = fieldsOf(document) as Fields;
    return { id: document.id, version: document.version, fields, json: encodeFields(this.spec, fields) };
  }

  private exchange({ id, version, fields, json }: Change<Fields>): Outcome<boolean> {
    const stored = this.reading.document(Buffer.from(id));
    if (stored?.version !== version) return { done: false };
    const taken = this.takenSet(id, fields);
    if (taken) return { refused: conflict(this.spec, taken) };
    this.moveEntries(id, stored, fields);
    this.putDocument(id, version + 1, json);
    return { done: true };
  }

  /** The first unique set of these fields that belongs to another document. */
  private takenSet(id: string, fields: object): readonly string[] | undefined {
    const isTaken = (key: Buffer) => (this.spaces.unique.get(key)?.toString() ?? id) !== id;
    return uniqueKeys(this.spec, fields).find(({ key }) => isTaken(key))?.set;
  }

  private remove(id: string): boolean {
    const stored = this.reading.document(Buffer.from(id));
    if (!stored) return false;
    this.removeEntries(stored);
    void this.spaces.documents.remove(Buffer.from(id));
    return true;
  }

  private put(id: string, version: number, fields: object, json: string): void {
    this.putDocument(id, version, json);
    this.putEntries(id, fields);
  }

  private putDocument(id: string, version: number, json: string): void {
    void this.spaces.documents.put(Buffer.from(id), Buffer.from(`[${version},${json}]`));
  }

  private putEntries(id: string, fields: object): void {
    const value = Buffer.from(id);
    for (const key of indexKeys(this.spec, id, fields)) void this.spaces.index.put(key, value);
    for (const { key } of uniqueKeys(this.spec, fields)) void this.spaces.unique.put(key, value);
  }

  private removeEntries(document: Document<Fields>): void {
    for (const key of indexKeys(this.spec, document.id, document)) void this.spaces.index.remove(key);
    for (const { key } of uniqueKeys(this.spec, document)) void this.spaces.unique.remove(key);
  }

  /** Writes only the entries that differ: most changes of a document touch none. */
  private moveEntries(id: string, before: object, after: object): void {
    const value = Buffer.from(id);
    const move = (space: Spaces['index'], from: readonly Buffer[], to: readonly Buffer[]) => {
      for (const key of from) if (!to.some((other) => other.equals(key))) void space.remove(key);
      for (const key of to) if (!from.some((other) => other.equals(key))) void space.put(key, value);
    };
    const uniqueKeysOf = (fields: object) => uniqueKeys(this.spec, fields).map(({ key }) => key);
    move(this.spaces.index, indexKeys(this.spec, id, before), indexKeys(this.spec, id, after));
    move(this.spaces.unique, uniqueKeysOf(before), uniqueKeysOf(after));
  }
}
