import { createReadStream, statSync } from 'node:fs';
import { CliError } from '../cli-error.js';

/** @throws CliError when the path is not that of a file; it is read twice, which a pipe does not allow */
export function assertFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new CliError('FILE must be the path of a file that exists');
}

/** Reads a file piece by piece, without a byte-order mark. @throws CliError when it cannot be read or is not UTF-8 */
export async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytesOf(path)) yield decode(() => decoder.decode(chunk, { stream: true }));
  yield decode(() => decoder.decode());
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch {
    throw new CliError('FILE cannot be read');
  }
}

function decode(read: () => string): string {
  try {
    return read();
  } catch {
    throw new CliError('FILE is not UTF-8, save it in this encoding');
  }
}
