import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LogEpoch } from '@assay/event-store';
import type { Logger } from '@assay/runtime';

/** An epoch and the identity of its log. */
export type KeptEpoch = Pick<LogEpoch, 'epoch' | 'log'>;

/**
 * Returns the epoch in the file, if there is one. It keeps the epoch outside of the event store: after the store was
 * lost, versions must not become lower than those that were forwarded.
 */
export async function readEpochFile(path: string): Promise<KeptEpoch | undefined> {
  try {
    const { epoch, log } = JSON.parse(await readFile(path, 'utf8')) as Partial<KeptEpoch>;
    return Number.isInteger(epoch) && epoch !== undefined && log !== undefined ? { epoch, log } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the epoch atomically. A failure is logged: the file matters only when the store is lost as well. */
export async function writeEpochFile(
  path: string,
  { epoch, log }: KeptEpoch,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify({ epoch, log }));
    await rename(`${path}.new`, path);
  } catch (error) {
    logger.warn('the epoch of the event log could not be written to the data folder', { epoch }, error);
  }
}
