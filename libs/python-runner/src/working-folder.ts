import { chmod, mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^assay-python-(\d+)-\w+$/;
/** Folders of this process. */
const own = new Set<string>();

/** Makes an empty folder that cannot be written to, and removes those of processes that were killed. */
export async function makeWorkingFolder(parent: string): Promise<string> {
  await removeStale(parent);
  const folder = await mkdtemp(join(parent, `assay-python-${process.pid}-`));
  own.add(folder);
  await chmod(folder, 0o555);
  return folder;
}

export async function removeWorkingFolder(folder: string): Promise<void> {
  own.delete(folder);
  await rmdir(folder).catch(() => undefined);
}

async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    const folder = join(parent, name);
    // A container's process often has the id of its predecessor.
    const isStale = pid === process.pid ? !own.has(folder) : pid > 0 && !isRunning(pid);
    if (isStale) await rmdir(folder).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
