import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChdbEngine } from '../src/chdb/chdb-engine.js';
import { createChdbEventStore } from '../src/chdb/create-chdb-event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../src/sql/engine/engine.js';
import type { EngineUnderTest } from './engine-fixture.js';

/**
 * Returns the engine in this process, on a folder that is removed after the tests of the surrounding `describe`.
 * @param hints `off`: its stores remember nothing
 */
export function chdbUnderTest(hints?: 'off'): EngineUnderTest {
  const dir = mkdtempSync(join(tmpdir(), 'assay-events-'));
  const opened: { close(): Promise<void> }[] = [];
  const own = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.push(one);
    return one;
  };
  afterAll(async () => {
    // This runs before the `afterAll` of the tests, and an open engine merges and removes parts in the background.
    await Promise.all(opened.map((one) => one.close()));
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return {
    open: (database, limits, media = { storeMediaOnce: hints !== 'off' }) => {
      const store = createChdbEventStore({ dir: join(dir, 'own'), database, limits, hints, ...media });
      own(store.administration);
      return store;
    },
    engine: () => own(new ChdbEngine({ dir: join(dir, 'own'), readers: 1, limits: DEFAULT_QUERY_LIMITS })),
    forChild: { create: 'createChdbEventStore', options: { dir: join(dir, 'child') } },
  };
}
