import { AppError } from '@assay/errors';
import type { CollectionSpec } from '../document-store.js';
import { textFrom } from './column-value.js';
import type { Connection } from './connection.js';
import type { YieldToEventLoop } from './yield-to-event-loop.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { takenColumn } from './sqlite-error.js';
import { addColumn, createIndexes, createTable, lookupColumns, quoted } from './table.js';

/** Rows per batch when look-up columns are filled. */
const PAGE_ROWS = 100;

/** Stores for each collection the specification for which its look-up columns were filled. */
export const CREATE_COLLECTIONS =
  'CREATE TABLE IF NOT EXISTS _collections (name TEXT PRIMARY KEY, sets TEXT NOT NULL) WITHOUT ROWID';

/**
 * Creates the table and the indexes of a collection. If its documents were written under another
 * specification, refills their look-up columns, all in one transaction. Writes nothing if the specification
 * is unchanged, so that a store on a full disk can be opened.
 * @throws AppError `CONFLICT` if existing documents break a unique set
 */
export async function applySpec(spec: CollectionSpec, database: SqliteDatabase): Promise<void> {
  const { unique, indexes, filtered = [], sparse } = spec;
  const sets = JSON.stringify([unique, indexes, filtered, ...(sparse ? [sparse] : [])]);
  const known = await database.query(setsQuery(spec), ([text]) => text);
  if (known[0] === sets) return;
  await database.write(0, async (yieldToEventLoop) => {
    const { writer } = database;
    const [current] = (await writer.first(SELECT_SETS, [spec.name])) ?? [];
    if (current === sets) return;
    await writer.exec(createTable(spec));
    if (current !== undefined) await fillColumns(spec, writer, yieldToEventLoop);
    for (const statement of createIndexes(spec)) await refusing(spec, () => writer.exec(statement));
    const remember = await writer.prepare('INSERT OR REPLACE INTO _collections (name, sets) VALUES (?, ?)');
    remember.run([spec.name, sets]);
  });
}

const SELECT_SETS = 'SELECT sets FROM _collections WHERE name = ?';

function setsQuery(spec: CollectionSpec) {
  return { sql: SELECT_SETS, values: [spec.name] };
}

async function fillColumns(
  spec: CollectionSpec,
  writer: Connection,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  const table = quoted(spec.name);
  const columns = lookupColumns(spec);
  const read = await writer.prepare('SELECT count(*) FROM pragma_table_info(?) WHERE name = ?');
  for (const column of columns)
    if (read.get([spec.name, column.name])?.[0] === 0) await writer.exec(addColumn(spec, column));
  if (columns.length === 0) return;

  const assignments = columns.map(({ name }) => `${quoted(name)} = ?`).join(', ');
  const update = await writer.prepare(`UPDATE ${table} SET ${assignments} WHERE _rowid = ?`);
  const select = await writer.prepare(
    `SELECT _rowid, _json FROM ${table} WHERE _rowid > ? ORDER BY _rowid LIMIT ${PAGE_ROWS}`,
  );
  for (let last = 0, more = true; more;) {
    const rows = [...(await select.iterate([last]))];
    for (const [rowid, json] of rows) {
      const fields = JSON.parse(textFrom(json)) as object;
      update.run([...columns.map(({ valueOf }) => valueOf(fields)), Number(rowid)]);
      await yieldToEventLoop();
    }
    last = Number(rows.at(-1)?.[0]);
    more = rows.length === PAGE_ROWS;
  }
}

async function refusing(spec: CollectionSpec, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (cause) {
    if (takenColumn(cause) === undefined) throw cause;
    throw new AppError('CONFLICT', `documents of ${spec.name} have the same values of a unique set`, {
      cause,
    });
  }
}
