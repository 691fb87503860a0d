import { join } from 'node:path';
import { createClickHouseEventStore, type EventStore, type IncompleteRows } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import type { Stack } from '../harness/stack/stack.js';

const LIMIT = 100;

/** Compares both tables of the standalone process, which is killed for that and stays down. */
export async function incompleteRowsOfStandalone(stack: Stack): Promise<IncompleteRows> {
  await stack.kill('standalone');
  return readAndClose(createChdbEventStore({ dir: join(stack.dir, 'data', 'events') }));
}

/** Compares both tables of a database on a server. Nothing may write to it meanwhile. */
export function incompleteRowsOfServer(url: string, database: string): Promise<IncompleteRows> {
  return readAndClose(createClickHouseEventStore({ url, database }));
}

async function readAndClose(store: EventStore): Promise<IncompleteRows> {
  try {
    return await store.administration.incompleteRows(LIMIT);
  } finally {
    await store.administration.close();
  }
}
