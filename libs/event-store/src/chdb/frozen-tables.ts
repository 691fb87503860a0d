import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupFolder } from '@assay/runtime';
import { Binder } from '../sql/engine/binder.js';
import type { ChdbEngine } from './chdb-engine.js';

const NAME = 'backup';
/** Where the engine keeps links to the files of frozen tables. */
const SHADOW = 'shadow';
/** Folders that say which tables there are. */
const DEFINITIONS = ['metadata', 'data', 'store'];
/** File of every folder of a table. */
const OF_TABLE = 'format_version.txt';

/** The rows of all tables at one moment. */
export interface FrozenTables {
  /** Adds what opens as an event store with these rows. */
  writeTo(folder: BackupFolder, name: string): Promise<void>;
  /** Lets go of the rows. */
  end(): Promise<void>;
}

/**
 * Freezes all tables of a database while nothing is written to them. Merges may continue: they change no rows.
 * @throws AppError `UNAVAILABLE`
 */
export async function freezeTables(engine: ChdbEngine, dir: string, database: string): Promise<FrozenTables> {
  const binder = new Binder();
  const tables = await engine.query<{ readonly name: string }>({
    sql: `SELECT name FROM system.tables WHERE database = ${binder.text(database)} AND engine LIKE '%MergeTree'`,
    bindings: binder.bindings,
  });
  const end = () => rm(join(dir, SHADOW), { recursive: true, force: true });
  try {
    await engine.commands(
      tables.map(({ name }) => `ALTER TABLE ${database}.${name} FREEZE WITH NAME '${NAME}'`),
    );
  } catch (error) {
    await end();
    throw error;
  }
  return { end, writeTo: (folder, name) => write(dir, folder, name) };
}

/** Removes what a process that was killed had frozen. Call it before the engine opens the folder. */
export function removeFrozenTables(dir: string): void {
  rmSync(join(dir, SHADOW), { recursive: true, force: true });
}

async function write(dir: string, folder: BackupFolder, name: string): Promise<void> {
  for (const definitions of DEFINITIONS)
    await folder.addAll(join(dir, definitions), join(name, definitions), (path) => !defines(dir, name, path));
  const frozen = join(dir, SHADOW, NAME, 'store');
  if (existsSync(frozen)) await addFrozen(frozen, folder, join(name, 'store'));
}

/** Of a folder of a table only its format: what is inserted twice is found by its rows, and values that a change was to remove are found again. */
function defines(dir: string, name: string, path: string): boolean {
  const inDir = join(dir, path.slice(name.length));
  const isInTable = existsSync(join(inDir, '..', OF_TABLE));
  return !isInTable || path.endsWith(OF_TABLE);
}

async function addFrozen(from: string, folder: BackupFolder, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await addFrozen(source, folder, target);
    else if (!existsSync(join(folder.path, target))) await folder.addUnchanging(source, target);
  }
}
