import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '@assay/errors';
import { systemCode, type FileSystem } from './files/file-system.js';
import { replaceFile } from './files/write-file.js';

const PATTERN = /^[0-9a-f]{32}$/;
const ID_BYTES = 32;

/**
 * The id of the log in the directory: random, created with the log, and the same as long as the directory is
 * kept.
 */
export async function readOrCreateLogId(fs: FileSystem, dir: string): Promise<string> {
  const path = join(dir, 'log-id');
  const existing = await readLogId(fs, path);
  if (existing !== undefined) return existing;
  const logId = randomUUID().replaceAll('-', '');
  await replaceFile(fs, path, Buffer.from(logId));
  return logId;
}

async function readLogId(fs: FileSystem, path: string): Promise<string | undefined> {
  const file = await fs.open(path, 'read').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(ID_BYTES);
    const text = bytes.toString('latin1', 0, await file.read(bytes, 0));
    if (PATTERN.test(text)) return text;
    throw new AppError('INTERNAL_ERROR', 'the file log-id of the event log is damaged');
  } finally {
    await file.close();
  }
}
