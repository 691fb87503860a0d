import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtLeast } from '../lifecycle/finding.js';
import { StartError, systemErrorCode } from '../lifecycle/start-error.js';

const FILE = 'version';
const VERSION = /^\d+\.\d+\.\d+$/;
/** Exit code of a process whose configuration does not fit the stored data: EX_CONFIG. */
const EXIT_CONFIG = 78;

/**
 * Refuses a data folder that a newer version of the product has written: this one may not understand what is stored. A folder without a
 * version is accepted. Changes nothing.
 * @throws StartError (exit code 78) that names the folder and the version
 */
export async function refuseNewerData(folder: string, version: string): Promise<void> {
  const written = await readVersion(folder);
  if (written === undefined || isAtLeast(version, written)) return;
  throw new StartError(
    `the data folder ${folder} was written by Assay ${written}, this is ${version}: ` +
      'start that version or a newer one, or set ASSAY_DATA_DIR to another folder',
    { exitCode: EXIT_CONFIG },
  );
}

/** Records that this version has written to the folder. Call it once the folder is locked. */
export async function recordDataVersion(folder: string, version: string): Promise<void> {
  if ((await readVersion(folder)) === version) return;
  const path = join(folder, FILE);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(unfinished, `${version}\n`, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (cause) {
    // A full disk: what is stored can still be read, and the next start records the version.
    if (systemErrorCode(cause) !== 'ENOSPC') throw cause;
  }
}

/** @returns undefined without a version, also for the empty file that a crash may leave */
async function readVersion(folder: string): Promise<string | undefined> {
  try {
    const text = (await readFile(join(folder, FILE), 'utf8')).trim();
    return VERSION.test(text) ? text : undefined;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
