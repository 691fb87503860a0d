import { lstat, mkdir, readdir, realpath, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { AppError, validationError } from '@assay/errors';
import { syncFolder, systemErrorCode } from '@assay/runtime';

/** In a folder that is no backup yet. */
export const UNFINISHED = 'backup-unfinished';

/** Where a backup goes. */
export interface BackupTarget {
  /** Path of the whole backup. */
  readonly path: string;
  /** Path of the folder until then. */
  readonly partial: string;
  readonly isOnDiskOfData: boolean;
}

/** @throws AppError `VALIDATION_ERROR` for a folder that cannot be written, `CONFLICT` for one that is not empty */
export async function checkTarget(directory: string, dataFolder: string): Promise<BackupTarget> {
  if (!isAbsolute(directory) || directory.includes('\0'))
    throw validationError('directory must be an absolute path');
  const parent = await realpath(dirname(resolve(directory))).catch(refuse);
  const path = join(parent, basename(resolve(directory)));
  const data = await realpath(dataFolder);
  if (path === data || path.startsWith(data + sep))
    throw validationError('directory must be outside of the data folder');
  if (!(await isFree(path))) throw new AppError('CONFLICT', 'directory exists and is not empty');
  const [ofParent, ofData] = await Promise.all([stat(parent), stat(data)]);
  return { path, partial: `${path}.partial`, isOnDiskOfData: ofParent.dev === ofData.dev };
}

async function isFree(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return true;
    return refuse(error);
  }
}

/** Makes the folder, in place of what a backup to the same path has left that was killed. @throws as {@link checkTarget} */
export async function makePartial({ partial }: BackupTarget): Promise<void> {
  if (await isUnfinished(partial)) await rm(partial, { recursive: true });
  try {
    await mkdir(partial, { mode: 0o700 });
    await writeFile(join(partial, UNFINISHED), '');
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST')
      throw new AppError(
        'CONFLICT',
        'directory with .partial behind its name exists and is of something else',
      );
    refuse(error);
  }
}

async function isUnfinished(partial: string): Promise<boolean> {
  return lstat(join(partial, UNFINISHED)).then(
    () => true,
    () => false,
  );
}

/** Makes what was written the backup. */
export async function finishPartial({ partial, path }: BackupTarget): Promise<void> {
  await rm(join(partial, UNFINISHED));
  await syncFolder(partial);
  await rename(partial, path);
  await syncFolder(dirname(path));
}

/** @throws AppError `INSUFFICIENT_STORAGE` that says how much is missing */
export async function assertRoom({ path }: BackupTarget, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  if (free >= neededBytes) return;
  throw new AppError(
    'INSUFFICIENT_STORAGE',
    `the disk of directory is too full for the backup: ${neededBytes} bytes are needed, ${free} are free`,
  );
}

/** Says why a folder cannot be written; another error as it is. */
function refuse(error: unknown): never {
  const code = systemErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    throw validationError('directory must be in a folder that exists');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    throw validationError('directory must be in a folder that the process may write to');
  if (code === 'ENAMETOOLONG' || code === 'ELOOP')
    throw validationError('directory is no path that can be used');
  throw error;
}
