import type { CollectionSpec } from '../document-store.js';
import { conditionFields, orderedSets, setName } from '../rules/collection-spec.js';
import { indexedValue } from '../rules/indexed-value.js';
import { uniqueKey } from '../rules/unique-key.js';
import { toColumnValue } from './column-value.js';
import type { SqlValue } from './connection.js';

/** A column of a collection's table and how a document fills it. Own columns begin with an underscore, which no field does. */
export interface Column {
  readonly name: string;
  readonly valueOf: (fields: object) => SqlValue;
}

/**
 * The columns that documents are found by: one per field that queries may name, and one per unique set. They are filled by the adapter:
 * SQLite's JSON functions read numbers, zero bytes and half surrogate pairs differently from JavaScript.
 */
export function lookupColumns(spec: CollectionSpec): readonly Column[] {
  return [
    ...conditionFields(spec).map((field) => ({
      name: field,
      valueOf: (fields: object) => toColumnValue(indexedValue(fields, field)),
    })),
    ...spec.unique.map((set) => ({
      name: uniqueColumn(set),
      valueOf: (fields: object) => uniqueKey(set, fields) ?? null,
    })),
  ];
}

/** Holds the key of a unique set; null, which a unique index ignores, when the document lacks one of the fields. */
export function uniqueColumn(set: readonly string[]): string {
  return `_unique_${setName(set)}`;
}

/** The index that finds documents by the fields of a set, in the order of its last field and then of the id; of no set: by the id. */
export function indexOf(spec: CollectionSpec, set: readonly string[] | undefined): string {
  return quoted(`${spec.name}.${set ? setName(set) : '_id'}`);
}

/** Creates the table where there is none. The JSON text comes last: what lies behind a long text is slow to read. */
export function createTable(spec: CollectionSpec): string {
  const columns = lookupColumns(spec).map(({ name }) => `${quoted(name)}, `);
  return (
    `CREATE TABLE IF NOT EXISTS ${quoted(spec.name)} ` +
    `(_rowid INTEGER PRIMARY KEY, _id TEXT NOT NULL, _version INTEGER NOT NULL, ${columns.join('')}_json TEXT NOT NULL)`
  );
}

export function addColumn(spec: CollectionSpec, { name }: Column): string {
  return `ALTER TABLE ${quoted(spec.name)} ADD COLUMN ${quoted(name)}`;
}

/** Creates the indexes that are missing. Those of other specifications stay: another process may use them. */
export function createIndexes(spec: CollectionSpec): readonly string[] {
  const table = quoted(spec.name);
  const ordered = orderedSets(spec).map(
    (set) =>
      `CREATE INDEX IF NOT EXISTS ${indexOf(spec, set)} ON ${table} (${set.map(quoted).join(', ')}, _id)`,
  );
  const unique = ['_id', ...spec.unique.map(uniqueColumn)].map(
    (column) =>
      `CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(`${spec.name}.${column}`)} ON ${table} (${quoted(column)})`,
  );
  return [...ordered, ...unique];
}

/** The name as SQL writes it. Names come from specifications, whose names hold no quotation mark. */
export function quoted(name: string): string {
  return `"${name}"`;
}
