import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRecord, type RecordKind } from '@assay/contracts';
import type { ConsumedRecord, LogRecord, RejectRecord } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { EventIdFilter } from '../src/ingest/event-id-filter.js';
import { makeStoreBatch, type StoreBatchDeps } from '../src/ingest/store-batch.js';
import { EventStateCache } from '../src/shared/event-state-cache.js';
import { LogVersions } from '../src/shared/log-versions.js';

export const PROJECT = 'p1';
export const NOW = 1_790_000_000_000;

/** Opens an empty event store in a temporary folder. */
export async function openTestStore(): Promise<{ store: EventStore; remove: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-store-batch-'));
  const store = createChdbEventStore({ dir });
  await store.administration.migrate();
  const remove = async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { store, remove };
}

/** Versions in a store whose log was never replaced. */
export const FIRST_EPOCH = new LogVersions([]);

/** A store reader with empty caches, as in a process of its own. */
export function aReaderOf(
  store: StoreBatchDeps['store'],
  known = new EventIdFilter(1 << 24),
  versions = FIRST_EPOCH,
  append: (records: readonly LogRecord[]) => Promise<void> = refuse,
) {
  const storeBatch = makeStoreBatch({
    store,
    log: { append },
    known,
    recent: new EventStateCache(1 << 20),
    versions,
  });
  const ignore: RejectRecord = () => Promise.resolve();
  return (batch: readonly ConsumedRecord[], reject = ignore) => storeBatch(batch, reject);
}

const refuse = () => Promise.reject(new Error('no records are appended'));

let nextOffset = 0;

/** Returns a record as it is read from the log, at the next offset unless one is given. */
export function consumed(
  kind: RecordKind,
  eventId: string,
  value: Buffer = Buffer.alloc(0),
  offset = nextOffset++,
): ConsumedRecord {
  const record = encodeRecord({ kind, projectId: PROJECT, eventId, fresh: false, value });
  return { ...record, partition: 0, offset, appendedAt: NOW };
}
