import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartError, systemErrorCode } from '../lifecycle/start-error.js';
import { ConfigError } from '../config/load-config.js';

/**
 * Returns the absolute path of the data folder. Creates the folder when it does not exist, readable by this user only.
 * @throws ConfigError when the path names a file, StartError when the folder is not writable
 */
export async function openDataFolder(path: string): Promise<string> {
  const folder = resolve(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new ConfigError(['ASSAY_DATA_DIR must name a folder, not a file']);
    if (code === 'ENOSPC') throw new StartError('the disk of the data folder is full');
    throw new StartError(`the data folder ${folder} is not writable`, { cause: error });
  }
}
