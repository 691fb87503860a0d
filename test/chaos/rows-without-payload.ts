import { join } from 'node:path';
import { createClickHouseEventStore, type EventStore, type Tombstone } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import type { Stack } from '../harness/stack/stack.js';

const LIMIT = 100;

/** Compares both tables of the standalone process, which is killed for that and stays down. */
export async function rowsWithoutPayloadOfStandalone(stack: Stack): Promise<readonly Tombstone[]> {
  await stack.kill('standalone');
  return readAndClose(createChdbEventStore({ dir: join(stack.dir, 'data', 'events') }));
}

/** Compares both tables of a database on a server. Nothing may write to it meanwhile. */
export function rowsWithoutPayloadOfServer(url: string, database: string): Promise<readonly Tombstone[]> {
  return readAndClose(createClickHouseEventStore({ url, database }));
}

async function readAndClose(store: EventStore): Promise<readonly Tombstone[]> {
  try {
    return await store.administration.rowsWithoutPayload(LIMIT);
  } finally {
    await store.administration.close();
  }
}
