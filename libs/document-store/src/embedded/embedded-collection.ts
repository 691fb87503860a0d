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
import { checkId, decodeDocument, documentOf, encodeFields, fieldsOf } from '../rules/encode-fields.js';
import { uniqueKey } from '../rules/unique-key.js';
import type { CollectionStatements, StoredFields } from './collection-statements.js';
import { fromColumn, textFrom } from './column-value.js';
import type { SqlRow } from './connection.js';
import { countQuery, entriesQuery, listQuery, sizesQuery } from './queries.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Collection in a table with one row per document. */
export class EmbeddedCollection<Fields extends object> implements DocumentCollection<Fields> {
  constructor(
    private readonly spec: CollectionSpec,
    private readonly database: SqliteDatabase,
    private readonly statements: CollectionStatements,
  ) {}

  async insert(id: string, fields: Fields): Promise<Document<Fields>> {
    checkId(id);
    const stored = this.encode(fields);
    await this.database.write(stored.json.length, () => this.statements.insert(id, stored));
    return documentOf(id, 1, fields);
  }

  async insertMissing(documents: readonly NewDocument<Fields>[]): Promise<boolean> {
    checkBulk(documents);
    documents.forEach(({ id }) => checkId(id));
    const encoded = documents.map(({ id, fields }) => ({ id, stored: this.encode(fields) }));
    return this.database.write(totalBytes(encoded), async (yieldToEventLoop) => {
      let allNew = true;
      for (const { id, stored } of encoded) {
        allNew = this.statements.insertMissing(id, stored) && allNew;
        await yieldToEventLoop();
      }
      return allNew;
    });
  }

  get(id: string): Promise<Document<Fields> | undefined> {
    return this.database.read(() => documentIn(this.statements.byId(id)));
  }

  async getAll(ids: readonly string[]): Promise<readonly Document<Fields>[]> {
    checkBulk(ids);
    return this.database.readEach([...new Set(ids)], (id) => documentIn<Fields>(this.statements.byId(id)));
  }

  async getAllWithin(
    ids: readonly string[],
    maxBytes: number,
  ): Promise<readonly Document<Fields>[] | undefined> {
    checkBulk(ids);
    return this.database.read(async (yieldToEventLoop) => {
      const found: Document<Fields>[] = [];
      let bytes = 0;
      for (const id of new Set(ids)) {
        const row = this.statements.byId(id);
        if (row === undefined) continue;
        const json = textFrom(row[2]);
        bytes += json.length;
        if (found.length > 0 && bytes > maxBytes) return undefined;
        found.push(decodeDocument<Fields>(textFrom(row[0]), Number(row[1]), json));
        await yieldToEventLoop();
      }
      return found;
    });
  }

  async findUnique(values: Readonly<Record<string, Scalar>>): Promise<Document<Fields> | undefined> {
    checkScalars(values);
    const set = uniqueSetOf(this.spec, values);
    const key = uniqueKey(set, values);
    if (key === undefined) return undefined;
    return this.database.read(() => documentIn(this.statements.byUniqueKey(set, key)));
  }

  async replace(document: Document<Fields>): Promise<Document<Fields> | undefined> {
    const { id, version } = document;
    const fields = fieldsOf(document) as Fields;
    const stored = this.encode(fields);
    const replaced = await this.database.write(stored.json.length, () =>
      this.statements.replace(id, version, stored),
    );
    return replaced ? documentOf(id, version + 1, fields) : undefined;
  }

  async replaceAll(documents: readonly Document<Fields>[]): Promise<boolean> {
    checkBulk(documents);
    const encoded = documents.map((document) => ({ ...document, stored: this.encode(fieldsOf(document)) }));
    return this.database.write(totalBytes(encoded), async (yieldToEventLoop) => {
      let all = true;
      for (const { id, version, stored } of encoded) {
        all = this.statements.replace(id, version, stored) && all;
        await yieldToEventLoop();
      }
      return all;
    });
  }

  delete(id: string): Promise<boolean> {
    return this.database.write(0, () => this.statements.delete(id));
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    checkBulk(ids);
    await this.database.write(0, async (yieldToEventLoop) => {
      for (const id of ids) {
        this.statements.delete(id);
        await yieldToEventLoop();
      }
    });
  }

  async list(query: ListQuery): Promise<readonly Document<Fields>[]> {
    checkListQuery(query);
    checkConditions(this.spec, query.where ?? []);
    return query.maxBytes === undefined
      ? this.database.query(listQuery(this.spec, query), decodeRow<Fields>)
      : this.listWithin(query, query.maxBytes);
  }

  async entries(query: EntryQuery): Promise<readonly IndexEntry[]> {
    checkEntryQuery(query);
    checkConditions(this.spec, query.where ?? []);
    return this.database.query(entriesQuery(this.spec, query), ([id, type, value]) => ({
      id: textFrom(id),
      value: fromColumn(type, value),
    }));
  }

  async count(equals: Readonly<Record<string, Scalar>>, where: readonly Condition[] = []): Promise<number> {
    checkScalars(equals);
    checkConditions(this.spec, where);
    const [count] = await this.database.query(countQuery(this.spec, equals, where), ([number]) =>
      Number(number),
    );
    return count ?? 0;
  }

  /** Reads the sizes first, because a query reads many rows at a time. */
  private async listWithin(query: ListQuery, maxBytes: number): Promise<readonly Document<Fields>[]> {
    for (;;) {
      const sizes = await this.database.query(sizesQuery(this.spec, query), ([id, bytes]) => ({
        id: textFrom(id),
        bytes: Number(bytes),
      }));
      const found = await this.getAll(idsWithin(sizes, maxBytes));
      // All of them may have been deleted since, and an empty list means that there are no more.
      if (found.length > 0 || sizes.length === 0) return found;
    }
  }

  private encode(fields: object): StoredFields {
    return { json: encodeFields(this.spec, fields), lookup: this.statements.lookupValues(fields) };
  }
}

/** Returns the first ids, through the one whose document reaches the limit. */
function idsWithin(sizes: readonly { readonly id: string; readonly bytes: number }[], maxBytes: number) {
  let bytes = 0;
  const end = sizes.findIndex((one) => (bytes += one.bytes) >= maxBytes);
  return (end < 0 ? sizes : sizes.slice(0, end + 1)).map(({ id }) => id);
}

function totalBytes(documents: readonly { readonly stored: StoredFields }[]): number {
  return documents.reduce((sum, { stored }) => sum + stored.json.length, 0);
}

function documentIn<Fields extends object>(row: SqlRow | undefined): Document<Fields> | undefined {
  return row && decodeRow<Fields>(row);
}

/** A row of id, version and JSON. */
function decodeRow<Fields extends object>([id, version, json]: SqlRow): Document<Fields> {
  return decodeDocument<Fields>(textFrom(id), Number(version), textFrom(json));
}
