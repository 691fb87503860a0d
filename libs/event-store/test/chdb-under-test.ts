import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChdbEngine } from '../src/chdb/chdb-engine.js';
import { createChdbEventStore } from '../src/chdb/create-chdb-event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../src/sql/engine/engine.js';
import type { EngineUnderTest } from './engine-fixture.js';

/** Returns the engine in this process, on a folder that is removed after the tests of the surrounding `describe`. */
export function chdbUnderTest(): EngineUnderTest {
  const dir = mkdtempSync(join(tmpdir(), 'assay-events-'));
  // The engine may still remove parts in the background.
  afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return {
    open: (database, limits) => createChdbEventStore({ dir: join(dir, 'own'), database, limits }),
    engine: () => new ChdbEngine({ dir: join(dir, 'own'), readers: 1, limits: DEFAULT_QUERY_LIMITS }),
    forChild: { create: 'createChdbEventStore', options: { dir: join(dir, 'child') } },
  };
}
