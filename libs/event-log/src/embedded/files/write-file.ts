import { dirname } from 'node:path';
import type { FileSystem, OpenFile } from './file-system.js';

/**
 * Writes all bytes of the buffers. A write that stops short is continued, so that the next call reports why:
 * `write` on a full disk first succeeds with fewer bytes. Nothing is synced.
 */
export async function writeFully(file: OpenFile, sources: Buffer[], position: number): Promise<void> {
  let rest = sources;
  let at = position;
  while (rest.length > 0) {
    const written = await file.write(rest, at);
    if (written <= 0) throw new Error('the file system wrote no bytes and reported no error');
    at += written;
    rest = skipBytes(rest, written);
  }
}

/**
 * Creates or replaces a file so that a crash leaves the old content or the new one: temporary file, sync,
 * rename, sync.
 */
export async function replaceFile(fs: FileSystem, path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.tmp`;
  await fs.remove(temporary).catch(() => undefined);
  const file = await fs.open(temporary, 'create');
  try {
    await writeFully(file, [content], 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await fs.rename(temporary, path);
  await fs.syncDirectory(dirname(path));
}

function skipBytes(sources: Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  let index = 0;
  for (; index < sources.length; index += 1) {
    const length = sources[index]?.length ?? 0;
    if (left < length) break;
    left -= length;
  }
  const rest = sources.slice(index);
  if (left > 0 && rest[0] !== undefined) rest[0] = rest[0].subarray(left);
  return rest;
}
