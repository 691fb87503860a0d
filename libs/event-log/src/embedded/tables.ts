import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { unavailable } from '@assay/errors';
import { PARTITION } from './block.js';

/** Address space of the map, not memory and not disk: the file grows as records come. */
const MAP_BYTES = 2 ** 40;

/** The three tables of an embedded log. All keys and values are bytes. */
export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** [partition, first offset] → block of records */
  readonly blocks: Database<Buffer, Buffer>;
  /** group → offset that it reads next */
  readonly positions: Database<Buffer, Buffer>;
  /** [0, id] → record that was set aside */
  readonly deadLetters: Database<Buffer, Buffer>;
}

/**
 * Opens (or creates) the tables in `dir`. Commits are plain LMDB commits: the write thread syncs the data pages, then writes the
 * meta page through a descriptor opened with O_DSYNC, and only then is a promise of a write resolved. So `overlappingSync`,
 * under which a promise is resolved before the sync, is off. `eventTurnBatching` is off because it makes a promise of its own that
 * nobody can catch when a commit fails.
 */
export function openTables(dir: string): Tables {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({
    path: join(dir, 'events.lmdb'),
    noSubdir: true,
    overlappingSync: false,
    eventTurnBatching: false,
    mapSize: MAP_BYTES,
    maxDbs: 3,
    ...bytes,
  });
  const table = (name: string) => root.openDB<Buffer, Buffer>({ name, ...bytes });
  const tables = {
    root,
    blocks: table('blocks'),
    positions: table('positions'),
    deadLetters: table('dead-letters'),
  };
  syncDirectory(dir);
  return tables;
}

/** Makes the names of new files survive a power cut. */
function syncDirectory(dir: string): void {
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Runs all writes of `write` as one transaction. Resolves when it is on disk.
 * @throws AppError `UNAVAILABLE` when it could not be committed, a full disk included; then none of the writes is visible
 */
export async function commit(tables: Tables, write: () => void): Promise<void> {
  try {
    await tables.root.batch(write);
  } catch (error) {
    throw unavailable('the event log could not be written', await causeOf(error));
  }
}

/** The client rejects with a shell whose `commitError` is the promise of a rejection with the engine's own error. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (cause: unknown) => cause,
  );
}

/** The key of a number under a prefix, so that byte order is number order. */
export function keyOf(number: number, prefix: number = PARTITION): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeUInt32BE(prefix, 0);
  key.writeUInt32BE(Math.floor(number / 2 ** 32), 4);
  key.writeUInt32BE(number % 2 ** 32, 8);
  return key;
}

/** The number in a key made by {@link keyOf}. */
export function numberOf(key: Buffer): number {
  return key.readUInt32BE(4) * 2 ** 32 + key.readUInt32BE(8);
}
