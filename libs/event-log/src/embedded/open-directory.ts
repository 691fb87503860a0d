import { join } from 'node:path';
import { AppError, unavailable } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import type { DeadLetterLimits } from '../dead-letter-shares.js';
import { DeadLetters } from './dead-letters.js';
import type { FileSystem } from './files/file-system.js';
import { lockDirectory, type DirectoryLock } from './lock/directory-lock.js';
import { readOrCreateLogId } from './log-identity.js';
import { Positions } from './positions.js';
import { segmentLimits, type Retention } from './retention.js';
import { SegmentedLog } from './segments/segmented-log.js';

/** Names in the data folder of a version before segment files. */
const OLD_FORMAT = /^(data|lock)\.mdb$|\.lmdb(-lock)?$/;

/** Records that are kept in memory for consumers; more than one batch of the `store` reader. */
const RECENT_BYTES = 48 * 1024 * 1024;

export interface OpenDirectoryOptions {
  readonly fs: FileSystem;
  readonly dir: string;
  readonly logger: Logger;
  readonly retention: Retention;
  readonly now: () => number;
  readonly deadLetterLimits?: DeadLetterLimits;
}

/** Everything that the directory of an embedded log holds. */
export interface OpenedDirectory {
  readonly lock: DirectoryLock;
  readonly logId: string;
  readonly positions: Positions;
  readonly records: SegmentedLog;
  readonly deadLetters: DeadLetters;
}

/**
 * Locks the directory and opens its files: `log-id`, `positions`, `records/` and `dead-letters/`. An existing
 * log opens on a full disk; a new one needs room for its first files.
 * @throws AppError `CONFLICT` when it is in use or of an old format, `INTERNAL_ERROR` naming a damaged file,
 * `UNAVAILABLE`
 */
export async function openDirectory(options: OpenDirectoryOptions): Promise<OpenedDirectory> {
  const lock = takeLock(options.dir);
  const undo: (() => Promise<void>)[] = [];
  try {
    return { lock, ...(await openFiles(options, undo)) };
  } catch (error) {
    for (const close of undo.reverse()) await close().catch(() => undefined);
    lock.release();
    throw error instanceof AppError
      ? error
      : unavailable('the directory of the event log could not be opened', error);
  }
}

function takeLock(dir: string): DirectoryLock {
  try {
    return lockDirectory(dir);
  } catch (error) {
    throw error instanceof AppError
      ? error
      : unavailable('the directory of the event log could not be locked', error);
  }
}

async function openFiles(options: OpenDirectoryOptions, undo: (() => Promise<void>)[]) {
  const { fs, dir, retention, now, logger } = options;
  if ((await fs.list(dir)).some((name) => OLD_FORMAT.test(name)))
    throw new AppError(
      'CONFLICT',
      'the event log has the format of an earlier version, use an empty directory',
    );
  const logId = await readOrCreateLogId(fs, dir);
  const positions = await Positions.open(fs, dir);
  undo.push(() => positions.close());
  const records = await SegmentedLog.open({
    fs,
    logId,
    dir: join(dir, 'records'),
    provenEnd: positions.highest,
    recentBytes: RECENT_BYTES,
    ...segmentLimits(retention),
  });
  undo.push(() => records.close(now()));
  const deadLetters = await DeadLetters.open({
    fs,
    dir,
    logId,
    positions,
    now,
    limits: options.deadLetterLimits,
  });
  const { tornBytes } = records.found;
  if (tornBytes > 0) logger.warn('an append that a crash interrupted was removed', { bytes: tornBytes });
  for (const damage of [records.found.damage, deadLetters.damage])
    if (damage !== undefined) logger.error('the event log is damaged', { ...damage.details }, damage);
  return { logId, positions, records, deadLetters };
}
