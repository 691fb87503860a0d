import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreContract } from '../../test/event-store-contract.js';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { ChdbEngine } from './chdb-engine.js';
import { createChdbEventStore } from './create-chdb-event-store.js';

describe('the event store in the process', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-events-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  eventStoreContract({
    open: (database, limits) => createChdbEventStore({ dir: join(dir, 'own'), database, limits }),
    engine: () => new ChdbEngine({ dir: join(dir, 'own'), readers: 1, limits: DEFAULT_QUERY_LIMITS }),
    forChild: { create: 'createChdbEventStore', options: { dir: join(dir, 'child') } },
  });
});
