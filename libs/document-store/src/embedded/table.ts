import type { CollectionSpec } from '../document-store.js';
import { conditionFields, orderedSets, setName } from '../rules/collection-spec.js';
import { indexedValue } from '../rules/indexed-value.js';
import { uniqueKey } from '../rules/unique-key.js';
import { toColumnValue } from './column-value.js';
import type { SqlValue } from './connection.js';

/**
 * A column of a collection's table, and its value for a document. Columns of the adapter begin with an
 * underscore, fields never do.
 */
export interface Column {
  readonly name: string;
  readonly valueOf: (fields: object) => SqlValue;
}

/**
 * Returns the look-up columns: one per field that queries may name, and one per unique set. The adapter fills
 * them, because SQLite's JSON functions read numbers, zero bytes and unpaired surrogates differently from
 * JavaScript.
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

/**
 * Returns the column with the key of a unique set. It is null, which a unique index ignores, if the document
 * lacks one of the fields.
 */
export function uniqueColumn(set: readonly string[]): string {
  return `_unique_${setName(set)}`;
}

/**
 * Returns the name of the index that finds documents by the fields of a set, ordered by its last field and
 * then by the id; without a set, by the id.
 */
export function indexOf(spec: CollectionSpec, set: readonly string[] | undefined): string {
  // A name of its own, because an earlier release may have created the index of all documents.
  const suffix = set && sparseFields(spec, set).length > 0 ? '.sparse' : '';
  return quoted(`${spec.name}.${set ? setName(set) : '_id'}${suffix}`);
}

function sparseFields({ sparse = [] }: CollectionSpec, set: readonly string[]): readonly string[] {
  return set.filter((field) => sparse.includes(field));
}

/** Returns the condition of documents that the index of a set contains. */
function indexedWhere(spec: CollectionSpec, set: readonly string[]): string {
  const fields = sparseFields(spec, set).map((field) => `${quoted(field)} IS NOT NULL`);
  return fields.length === 0 ? '' : ` WHERE ${fields.join(' AND ')}`;
}

/**
 * Creates the table if it does not exist. The JSON text is the last column, because columns after a long text
 * are slow to read.
 */
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

/** Creates missing indexes. Indexes of other specifications stay, because another process may use them. */
export function createIndexes(spec: CollectionSpec): readonly string[] {
  const table = quoted(spec.name);
  const ordered = orderedSets(spec).map(
    (set) =>
      `CREATE INDEX IF NOT EXISTS ${indexOf(spec, set)} ON ${table} (${set.map(quoted).join(', ')}, _id)${indexedWhere(spec, set)}`,
  );
  const unique = ['_id', ...spec.unique.map(uniqueColumn)].map(
    (column) =>
      `CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(`${spec.name}.${column}`)} ON ${table} (${quoted(column)})`,
  );
  return [...ordered, ...unique];
}

/** Returns the quoted name. Names come from specifications and contain no quotation marks. */
export function quoted(name: string): string {
  return `"${name}"`;
}
