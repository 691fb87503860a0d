import { AppError, unavailable } from '@assay/errors';
import type { Collection, Filter, FindCursor, WithId } from 'mongodb';
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
import {
  checkId,
  conflict,
  documentOf,
  encodeFields,
  fieldsOf,
  isStorableId,
} from '../rules/encode-fields.js';
import { asScalar } from '../rules/indexed-value.js';
import { uniqueKey } from '../rules/unique-key.js';
import { isDuplicateKey, isRefusal, mapMongoError } from './map-mongo-error.js';
import {
  countStatement,
  idStatement,
  listStatement,
  type QueryStatement,
  uniqueStatement,
  versionStatement,
} from './statements.js';
import { fromStored, type StoredDocument, toStored, uniqueTextOf } from './stored-document.js';

/** Fields that reads need; the others only serve look-ups. */
const READ = { _id: 1, _version: 1, _json: 1 } as const;

/**
 * Up to this many ids are looked up individually: not every server with MongoDB's protocol finds several by
 * the index.
 */
const FEW = 100;

/** Documents that a bounded read looks up at the same time. */
const CONCURRENT_READS = 8;

/** Collection with one MongoDB document per document. Needs neither transactions nor a replica set. */
export class MongoCollection<Fields extends object> implements DocumentCollection<Fields> {
  constructor(
    private readonly spec: CollectionSpec,
    private readonly stored: Collection<StoredDocument>,
    private readonly isClosed: () => boolean,
  ) {}

  async insert(id: string, fields: Fields): Promise<Document<Fields>> {
    checkId(id);
    const json = encodeFields(this.spec, fields);
    const stored = toStored(this.spec, { id, version: 1, fields, json });
    await this.write(id, fields, () => this.stored.insertOne(stored));
    return documentOf(id, 1, fields);
  }

  async insertMissing(documents: readonly NewDocument<Fields>[]): Promise<boolean> {
    checkBulk(documents);
    documents.forEach(({ id }) => checkId(id));
    const stored = documents.map(({ id, fields }) =>
      toStored(this.spec, { id, version: 1, fields, json: encodeFields(this.spec, fields) }),
    );
    if (stored.length === 0) return true;
    try {
      await this.ask(() => this.stored.insertMany(stored, { ordered: false }));
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || !isDuplicateKey(error.cause)) throw error;
      await this.insertOneByOne(documents);
      return false;
    }
  }

  async get(id: string): Promise<Document<Fields> | undefined> {
    return isStorableId(id) ? this.findOne(idStatement(id)) : undefined;
  }

  async getAll(ids: readonly string[]): Promise<readonly Document<Fields>[]> {
    checkBulk(ids);
    const storable = [...new Set(ids.filter(isStorableId))];
    if (storable.length === 0) return [];
    if (storable.length <= FEW)
      return (await Promise.all(storable.map((id) => this.get(id)))).flatMap((one) => one ?? []);
    const found = await this.ask(() =>
      this.stored.find({ _id: { $in: storable } }, { projection: READ }).toArray(),
    );
    return found.map((stored) => fromStored<Fields>(stored));
  }

  async getAllWithin(
    ids: readonly string[],
    maxBytes: number,
  ): Promise<readonly Document<Fields>[] | undefined> {
    checkBulk(ids);
    const storable = [...new Set(ids.filter(isStorableId))];
    const found: StoredDocument[] = [];
    let bytes = 0;
    for await (const one of this.readInParts(storable)) {
      bytes += one._json.length;
      if (found.length > 0 && bytes > maxBytes) return undefined;
      found.push(one);
    }
    return found.map((stored) => fromStored<Fields>(stored));
  }

  async findUnique(values: Readonly<Record<string, Scalar>>): Promise<Document<Fields> | undefined> {
    checkScalars(values);
    const set = uniqueSetOf(this.spec, values);
    const key = uniqueKey(set, values);
    return key === undefined ? undefined : this.findOne(uniqueStatement(set, uniqueTextOf(key)));
  }

  async replace(document: Document<Fields>): Promise<Document<Fields> | undefined> {
    const { id, version } = document;
    const fields = fieldsOf(document) as Fields;
    const { filter, replacement } = this.replacementBy(document, fields);
    const { matchedCount } = await this.write(id, fields, () => this.stored.replaceOne(filter, replacement));
    return matchedCount === 1 ? documentOf(id, version + 1, fields) : undefined;
  }

  async replaceAll(documents: readonly Document<Fields>[]): Promise<boolean> {
    checkBulk(documents);
    if (documents.length === 0) return true;
    const replacements = documents.map((document) => ({
      replaceOne: this.replacementBy(document, fieldsOf(document)),
    }));
    try {
      const { matchedCount } = await this.ask(() => this.stored.bulkWrite(replacements, { ordered: false }));
      return matchedCount === documents.length;
    } catch (error) {
      if (!(error instanceof AppError) || !isRefusal(error.cause)) throw error;
      return this.replaceOneByOne(documents);
    }
  }

  async delete(id: string): Promise<boolean> {
    const { deletedCount } = await this.ask(() => this.stored.deleteOne(filterOf(idStatement(id))));
    return deletedCount === 1;
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    checkBulk(ids);
    const storable = ids.filter(isStorableId);
    await this.ask(() => this.stored.deleteMany({ _id: { $in: storable } }));
  }

  async list(query: ListQuery): Promise<readonly Document<Fields>[]> {
    checkListQuery(query);
    checkConditions(this.spec, query.where ?? []);
    const statement = listStatement(this.spec, query);
    const { offset = 0, limit, maxBytes } = query;
    const sort = statement.sort.map(([field, direction]): [string, 1 | -1] => [field, direction]);
    const options = { projection: READ, sort, skip: offset, limit };
    const found = await this.ask(() =>
      maxBytes === undefined
        ? this.stored.find(filterOf(statement), options).toArray()
        : firstWithin(this.stored.find(filterOf(statement), options), maxBytes),
    );
    return found.map((stored) => fromStored<Fields>(stored));
  }

  async entries(query: EntryQuery): Promise<readonly IndexEntry[]> {
    checkEntryQuery(query);
    checkConditions(this.spec, query.where ?? []);
    const { orderBy, offset = 0, limit } = query;
    const statement = listStatement(this.spec, query);
    const sort = statement.sort.map(([field, direction]): [string, 1 | -1] => [field, direction]);
    const options = { projection: { _id: 1, [orderBy]: 1 }, sort, skip: offset, limit, batchSize: limit };
    const found = await this.ask(() => this.stored.find(filterOf(statement), options).toArray());
    return found.map((stored) => ({ id: stored._id, value: asScalar(stored[orderBy]) }));
  }

  async count(equals: Readonly<Record<string, Scalar>>, where: readonly Condition[] = []): Promise<number> {
    checkScalars(equals);
    checkConditions(this.spec, where);
    const filter = filterOf(countStatement(this.spec, equals, where));
    return this.ask(() => this.stored.countDocuments(filter));
  }

  private replacementBy({ id, version }: Document<Fields>, fields: object) {
    const { _id, ...replacement } = toStored(this.spec, {
      id,
      version: version + 1,
      fields,
      json: encodeFields(this.spec, fields),
    });
    return { filter: filterOf(versionStatement(id, version)), replacement };
  }

  /**
   * Runs after a bulk write with a taken unique set. Documents that it replaced have another version now and
   * count as not replaced.
   */
  private async replaceOneByOne(documents: readonly Document<Fields>[]): Promise<boolean> {
    for (const document of documents) await this.replace(document);
    return false;
  }

  /** Runs after a bulk write with a taken id or unique set, because servers report these differently. */
  private async insertOneByOne(documents: readonly NewDocument<Fields>[]): Promise<void> {
    const missing = await this.missing(documents);
    for (const { id, fields } of missing) {
      try {
        await this.insert(id, fields);
      } catch (error) {
        if (!(error instanceof AppError) || error.details.fields !== 'id') throw error;
      }
    }
  }

  private async missing(documents: readonly NewDocument<Fields>[]): Promise<NewDocument<Fields>[]> {
    const ids = documents.map(({ id }) => id);
    const found = await this.ask(() =>
      this.stored.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray(),
    );
    const known = new Set(found.map(({ _id }) => _id));
    return documents.filter(({ id }) => !known.has(id));
  }

  /** Yields the documents with these ids, of which few are in memory at a time. */
  private async *readInParts(ids: readonly string[]): AsyncGenerator<StoredDocument> {
    if (ids.length > FEW) {
      const cursor = this.stored.find({ _id: { $in: ids } }, { projection: READ });
      try {
        for (let one = await this.ask(() => cursor.next()); one; one = await this.ask(() => cursor.next()))
          yield one;
      } finally {
        await cursor.close();
      }
      return;
    }
    for (let start = 0; start < ids.length; start += CONCURRENT_READS) {
      const part = ids.slice(start, start + CONCURRENT_READS);
      const found = await Promise.all(part.map((id) => this.findStored(idStatement(id))));
      for (const one of found) if (one) yield one;
    }
  }

  private findStored(statement: QueryStatement): Promise<StoredDocument | null> {
    return this.ask(() => this.stored.findOne<StoredDocument>(filterOf(statement), { projection: READ }));
  }

  private async findOne(statement: QueryStatement): Promise<Document<Fields> | undefined> {
    const found = await this.findStored(statement);
    return found ? fromStored<Fields>(found) : undefined;
  }

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    if (this.isClosed()) throw unavailable('the document store is closed');
    try {
      return await call();
    } catch (error) {
      throw mapMongoError(error);
    }
  }

  /** Finds out which unique set a rejected write conflicts with, because not every server reports it. */
  private async write<T>(id: string, fields: object, call: () => Promise<T>): Promise<T> {
    if (this.isClosed()) throw unavailable('the document store is closed');
    try {
      return await call();
    } catch (error) {
      if (!isRefusal(error)) throw mapMongoError(error);
      const taken = (await this.takenSet(id, fields)) ?? (isDuplicateKey(error) ? ['id'] : undefined);
      throw taken ? conflict(this.spec, taken) : mapMongoError(error);
    }
  }

  private async takenSet(id: string, fields: object): Promise<readonly string[] | undefined> {
    for (const set of this.spec.unique) {
      const key = uniqueKey(set, fields);
      const owner = key && (await this.findOne(uniqueStatement(set, uniqueTextOf(key))));
      if (owner && owner.id !== id) return set;
    }
    return undefined;
  }
}

/** Reads a cursor through the document that reaches the limit. */
async function firstWithin(
  cursor: FindCursor<WithId<StoredDocument>>,
  maxBytes: number,
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  let bytes = 0;
  try {
    while (bytes < maxBytes) {
      const one = await cursor.next();
      if (!one) break;
      found.push(one);
      bytes += one._json.length;
    }
    return found;
  } finally {
    await cursor.close();
  }
}

function filterOf(statement: QueryStatement): Filter<StoredDocument> {
  return statement.and
    ? { ...statement.filter, $and: statement.and.map((fields) => ({ ...fields })) }
    : statement.filter;
}
