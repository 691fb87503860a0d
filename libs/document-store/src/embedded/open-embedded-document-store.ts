import { existsSync, mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable, validationError } from '@assay/errors';
import type { Finding } from '@assay/runtime';
import type { CollectionSpec, DocumentCollection, DocumentStore } from '../document-store.js';
import { checkSpec } from '../rules/collection-spec.js';
import { retryWhileBusy } from './busy-retry.js';
import { applySpec, CREATE_COLLECTIONS } from './collection-schema.js';
import { copyDatabase } from './copy-database.js';
import { CollectionStatements } from './collection-statements.js';
import { Connection } from './connection.js';
import { EmbeddedCollection } from './embedded-collection.js';
import { SqliteDatabase } from './sqlite-database.js';
import { isNotADatabase, mapSqliteError } from './sqlite-error.js';

const FILE = 'documents.sqlite';
/** Files of the LMDB store of earlier releases. */
const LMDB_FILES = ['documents.mdb', 'data.mdb'];

/** SQLite application id of Assay's files ("Asay"), and the version of their table layout. */
const APPLICATION_ID = 0x41736179;
const LAYOUT = 1;

/** The document store of a single process. */
export interface EmbeddedDocumentStore extends DocumentStore {
  /** Bytes of the file, which a copy needs at most. */
  sizeBytes(): Promise<number>;
  /**
   * Writes all documents, as they are at one moment, into a file of the folder, which is not synced. Writes continue meanwhile.
   * @returns the name of the file
   * @throws AppError `UNAVAILABLE`, also on a full disk
   */
  copyTo(dir: string): Promise<string>;
}

/**
 * Opens the SQLite document store in the file `documents.sqlite` of the folder `dir`, which is created if
 * necessary. Several processes may open it.
 * @throws AppError `UNAVAILABLE` if the folder cannot be used, `VALIDATION_ERROR` if its content is not a
 * document store of this release
 */
export async function openEmbeddedDocumentStore(options: {
  readonly dir: string;
}): Promise<EmbeddedDocumentStore> {
  makeFolder(options.dir);
  const lmdb = LMDB_FILES.find((name) => existsSync(join(options.dir, name)));
  if (lmdb !== undefined)
    throw validationError(
      `${join(options.dir, lmdb)} was written by an earlier release, use an empty data folder`,
    );
  const path = join(options.dir, FILE);
  try {
    await retryWhileBusy(() => prepareFile(path));
    return new SqliteDocumentStore(await SqliteDatabase.open(path), path);
  } catch (error) {
    if (isNotADatabase(error)) throw validationError(`${path} is damaged or is not an Assay database`);
    throw mapSqliteError(error);
  }
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unavailable('the folder of the document store cannot be opened', cause);
  }
}

/** Initialises a new file, or checks that an existing one is a database of Assay without writing to it. */
async function prepareFile(path: string): Promise<void> {
  const connection = await Connection.open(path);
  try {
    const [application] = (await connection.first('PRAGMA application_id')) ?? [];
    const [layout] = (await connection.first('PRAGMA user_version')) ?? [];
    const [tables] = (await connection.first('SELECT count(*) FROM sqlite_schema')) ?? [];
    if (application === APPLICATION_ID && layout === LAYOUT) return;
    if (application === APPLICATION_ID)
      throw validationError(`${path} was written by another release of Assay`);
    if (application !== 0 || tables !== 0)
      throw validationError(`${path} is damaged or is not an Assay database`);
    const [mode] = (await connection.first('PRAGMA journal_mode = WAL')) ?? [];
    if (mode !== 'wal') throw unavailable(`the file system of ${path} does not support shared memory`);
    await connection.exec(
      `BEGIN IMMEDIATE; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${LAYOUT}; ${CREATE_COLLECTIONS}; COMMIT`,
    );
  } finally {
    connection.close();
  }
}

class SqliteDocumentStore implements EmbeddedDocumentStore {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly path: string,
  ) {}

  async collection<Fields extends object>(spec: CollectionSpec): Promise<DocumentCollection<Fields>> {
    checkSpec(spec);
    await applySpec(spec, this.database);
    const statements = await CollectionStatements.prepare(spec, this.database);
    return new EmbeddedCollection<Fields>(spec, this.database, statements);
  }

  /** @throws AppError `UNAVAILABLE` */
  async check(): Promise<void> {
    const statement = await this.database.prepareRead('SELECT count(*) FROM _collections');
    await this.database.read(() => statement.get([]));
  }

  async inspect(): Promise<readonly Finding[]> {
    await this.check();
    return [{ name: 'document store', ok: true, detail: 'responds' }];
  }

  async sizeBytes(): Promise<number> {
    const { size } = await stat(this.path);
    return size;
  }

  async copyTo(dir: string): Promise<string> {
    try {
      await copyDatabase(this.path, join(dir, FILE));
      return FILE;
    } catch (error) {
      throw mapSqliteError(error);
    }
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
