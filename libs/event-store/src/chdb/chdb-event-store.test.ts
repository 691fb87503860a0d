import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreContract } from '../event-store-contract.js';
import { createChdbEventStore } from './create-chdb-event-store.js';

describe('the event store in the process', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-events-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  eventStoreContract({
    open: (database, limits) => createChdbEventStore({ dir: join(dir, 'own'), database, limits }),
    forChild: { create: 'createChdbEventStore', options: { dir: join(dir, 'child') } },
  });
});
