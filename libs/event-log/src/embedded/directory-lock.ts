import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '@assay/errors';

const openHere = new Set<string>();

/**
 * Takes the directory for this process: two writers would give the same offsets to different records. The lock dies with the
 * process that holds it, because its file names the process and the moment that it started.
 * @returns a function that gives the directory back
 * @throws AppError `CONFLICT` when another process, or another open log of this one, holds it
 */
export function lockDirectory(dir: string): () => void {
  const path = join(resolve(dir), 'owner');
  if (openHere.has(path) || isHeldByAnother(path))
    throw new AppError('CONFLICT', 'the directory of the event log is in use by another process');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${process.pid} ${startOf(process.pid)}`);
  openHere.add(path);
  return () => {
    openHere.delete(path);
    rmSync(path, { force: true });
  };
}

function isHeldByAnother(path: string): boolean {
  const [pid, start] = readOr(path, '').split(' ');
  const owner = Number(pid);
  if (!Number.isInteger(owner) || owner <= 0 || owner === process.pid) return false;
  return isAlive(owner) && startOf(owner) === start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When the process started, in clock ticks since boot (field 22 of its status line); empty where there is no /proc. */
function startOf(pid: number): string {
  const line = readOr(`/proc/${pid}/stat`, '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
