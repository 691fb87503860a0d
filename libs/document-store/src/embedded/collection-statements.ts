import type { CollectionSpec } from '../document-store.js';
import { conflict } from '../rules/encode-fields.js';
import type { PreparedStatement, SqlRow, SqlValue } from './connection.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { takenColumn } from './sqlite-error.js';
import { lookupColumns, quoted, uniqueColumn } from './table.js';

/** The fields of a document in the form of its row. */
export interface StoredFields {
  readonly json: string;
  readonly lookup: readonly SqlValue[];
}

interface Prepared {
  readonly insert: PreparedStatement;
  readonly insertMissing: PreparedStatement;
  readonly replace: PreparedStatement;
  readonly delete: PreparedStatement;
  readonly byId: PreparedStatement;
  readonly byUniqueKey: ReadonlyMap<string, PreparedStatement>;
}

/**
 * Statements of a collection for single rows, prepared once. Call those that write within a write of the
 * database.
 */
export class CollectionStatements {
  private readonly columns;

  private constructor(
    private readonly spec: CollectionSpec,
    private readonly prepared: Prepared,
  ) {
    this.columns = lookupColumns(spec);
  }

  static async prepare(spec: CollectionSpec, database: SqliteDatabase): Promise<CollectionStatements> {
    const { writer } = database;
    const table = quoted(spec.name);
    const names = [...lookupColumns(spec).map(({ name }) => quoted(name)), '_json'];
    const insert =
      `INSERT INTO ${table} (_id, _version, ${names.join(', ')}) ` +
      `VALUES (?, 1, ${names.map(() => '?').join(', ')})`;
    const assignments = names.map((name) => `${name} = ?`).join(', ');
    const select = `SELECT CAST(_id AS BLOB), _version, _json FROM ${table}`;
    const unique = spec.unique.map(uniqueColumn).map(async (column) => {
      const statement = await database.prepareRead(`${select} WHERE ${quoted(column)} = ?`);
      return [column, statement] as const;
    });
    return new CollectionStatements(spec, {
      insert: await writer.prepare(insert),
      insertMissing: await writer.prepare(`${insert} ON CONFLICT (_id) DO NOTHING`),
      replace: await writer.prepare(
        `UPDATE ${table} SET ${assignments}, _version = _version + 1 WHERE _id = ? AND _version = ?`,
      ),
      delete: await writer.prepare(`DELETE FROM ${table} WHERE _id = ?`),
      byId: await database.prepareRead(`${select} WHERE _id = ?`),
      byUniqueKey: new Map(await Promise.all(unique)),
    });
  }

  lookupValues(fields: object): readonly SqlValue[] {
    return this.columns.map(({ valueOf }) => valueOf(fields));
  }

  /** @throws AppError `CONFLICT` */
  insert(id: string, { json, lookup }: StoredFields): void {
    this.refusing(() => this.prepared.insert.run([id, ...lookup, json]));
  }

  /** Returns false if the id is taken. @throws AppError `CONFLICT` for a unique set */
  insertMissing(id: string, { json, lookup }: StoredFields): boolean {
    return this.refusing(() => this.prepared.insertMissing.run([id, ...lookup, json])).changes === 1;
  }

  /** Returns false if the document has another version or does not exist. @throws AppError `CONFLICT` */
  replace(id: string, version: number, { json, lookup }: StoredFields): boolean {
    return this.refusing(() => this.prepared.replace.run([...lookup, json, id, version])).changes === 1;
  }

  /** Returns false if the document does not exist. */
  delete(id: string): boolean {
    return this.prepared.delete.run([id]).changes === 1;
  }

  byId(id: string): SqlRow | undefined {
    return this.prepared.byId.get([id]);
  }

  byUniqueKey(set: readonly string[], key: string): SqlRow | undefined {
    return this.prepared.byUniqueKey.get(uniqueColumn(set))?.get([key]);
  }

  /** Converts a violated unique index to a conflict. */
  private refusing<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      const column = takenColumn(error);
      if (column === undefined) throw error;
      throw conflict(this.spec, this.spec.unique.find((set) => uniqueColumn(set) === column) ?? ['id']);
    }
  }
}
