import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../cli-error.js';

const LOCK = '.lock';

/**
 * Runs work while no other command uses the folder. The lock of a process of this machine that has ended is taken over.
 * @throws CliError when another command uses it, or it cannot be written
 */
export async function withFolderLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dir, LOCK);
  if (!tryLock(path)) {
    if (!isLeftOver(path))
      throw new CliError(`another command uses DIR; if none does, delete ${LOCK} in it and try again`);
    rmSync(path, { force: true });
    if (!tryLock(path)) throw new CliError('another command uses DIR, try again later');
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${process.pid} ${hostname()}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new CliError(`DIR cannot be written (${code})`);
  }
}

function isLeftOver(path: string): boolean {
  const [pid, host] = readOwner(path);
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function readOwner(path: string): readonly (string | undefined)[] {
  try {
    return readFileSync(path, 'utf8').trim().split(' ');
  } catch {
    return [];
  }
}
