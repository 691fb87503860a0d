import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedDocumentStore } from '@assay/document-store';
import { AppError, unavailable } from '@assay/errors';
import type { EmbeddedEventLog } from '@assay/event-log';
import type { EmbeddedEventStore } from '@assay/event-store/chdb';
import { VERSION } from '@assay/http';
import { BackupFolder, type BackupSize, type DiskReserve, type Logger } from '@assay/runtime';
import {
  assertRoom,
  checkTarget,
  finishPartial,
  makePartial,
  UNFINISHED,
  type BackupTarget,
} from './backup-target.js';

export interface BackupParts {
  /** The data folder. */
  readonly root: string;
  readonly documents: EmbeddedDocumentStore;
  readonly log: EmbeddedEventLog;
  readonly store: EmbeddedEventStore;
  readonly reserve: DiskReserve;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Names in the data folder of what is copied by its store, and of the list of a restored backup. */
const OF_STORES = ['documents', 'events', 'log'];
const LIST = 'backup.json';
const LIST_FORMAT = 1;
/** For what the stores have beside what is counted, such as their definitions. */
const EXTRA_BYTES = 4 * 1024 ** 2;

/** Writes backups of the stores, one at a time, while they are used. */
export function openBackups(parts: BackupParts) {
  let running: Promise<BackupSize> | undefined;
  const closing = new AbortController();
  return {
    create: async (directory: string): Promise<BackupSize> => {
      if (running) throw new AppError('CONFLICT', 'another backup is being written, wait for it to end');
      running = createBackup(parts, directory, closing.signal);
      try {
        return await running;
      } finally {
        running = undefined;
      }
    },
    /** Ends a backup that is being written. */
    close: async (): Promise<void> => {
      closing.abort();
      await running?.catch(() => undefined);
    },
  };
}

async function createBackup(parts: BackupParts, directory: string, signal: AbortSignal): Promise<BackupSize> {
  const { root, reserve, logger } = parts;
  const target = await checkTarget(directory, root);
  if (target.isOnDiskOfData) reserve.assertAvailable();
  await assertRoom(target, await neededBytes(parts, target));
  await makePartial(target);
  const folder = new BackupFolder(target.partial, () => {
    if (signal.aborted) throw unavailable('the process is ending');
    if (target.isOnDiskOfData) reserve.assertAvailable();
  });
  try {
    await copyStores(parts, folder);
    const { size } = folder;
    const list = { format: LIST_FORMAT, version: VERSION, created_at: new Date().toISOString(), ...size };
    await folder.addContent(Buffer.from(`${JSON.stringify(list)}\n`), LIST);
    await folder.sync();
    await finishPartial(target);
    logger.info('a backup was written', { ...size });
    return size;
  } catch (error) {
    await rm(target.partial, { recursive: true, force: true }).catch(() => undefined);
    logger.warn('a backup could not be written', {}, error);
    throw explain(error);
  }
}

/**
 * First the positions of the readers, last the records: whatever the event store has is on the copied log,
 * and whatever they may lack is read again.
 */
async function copyStores({ root, documents, log, store }: BackupParts, folder: BackupFolder): Promise<void> {
  const ofLog = await log.beginBackup();
  try {
    const frozen = await store.freeze();
    try {
      await folder.addFolder('documents');
      const name = await documents.copyTo(join(folder.path, 'documents'));
      await folder.added(join('documents', name));
      await ofLog.writeTo(folder, 'log');
      await ofLog.end();
      await frozen.writeTo(folder, 'events');
    } finally {
      await frozen.end();
    }
  } finally {
    await ofLog.end();
  }
  await folder.addAll(root, '.', (path) => [...OF_STORES, LIST, UNFINISHED].includes(path));
}

/** Links take no room, but the reserve of the disk of the data has to stay. */
async function neededBytes({ documents, log, store }: BackupParts, target: BackupTarget): Promise<number> {
  const copied = (await documents.sizeBytes()) + EXTRA_BYTES;
  return target.isOnDiskOfData ? copied : copied + log.sizeBytes() + (await store.storedBytes());
}

function explain(error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  const code = codeOf(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code?.startsWith('SQLITE_FULL'))
    return new AppError(
      'INSUFFICIENT_STORAGE',
      'the disk of directory has become full, nothing of the backup was kept',
      { cause: error },
    );
  return error instanceof AppError ? error : unavailable('the backup could not be written', error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
