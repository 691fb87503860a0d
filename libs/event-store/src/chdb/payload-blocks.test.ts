import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProject, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { createChdbEventStore } from './create-chdb-event-store.js';

const MEGABYTE = 1024 ** 2;
const EVENTS = 5_000;
const PER_WRITE = 500;
const TEXT = 'a text of ten thousand characters that has another word in few events '.repeat(143);

describe('a search in the payloads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-blocks-'));
  const limits = { ...DEFAULT_QUERY_LIMITS, maxMemoryBytes: 64 * MEGABYTE };
  const store = createChdbEventStore({ dir, limits });
  beforeAll(() => store.administration.migrate());
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it('takes less memory than the payloads that it reads', async () => {
    const project = newProject();
    for (let written = 0; written < EVENTS; written += PER_WRITE) {
      const texts = Array.from({ length: PER_WRITE }, (_, index) => `${written + index}`);
      const events = texts.map((text) =>
        sampleEvent({ project_id: project, outputs: { text: `number ${text}. ${TEXT}` } }),
      );
      await writeEvents(store, events);
    }
    const { signal } = new AbortController();
    while ((await store.mergeParts({ maxBytes: 1024 * MEGABYTE, signal })) !== undefined) continue;
    const filter = { field: 'outputs.text', type: 'string', value: 'number 1234.' } as const;
    const found = (operator: 'contains' | 'not contains') =>
      store.events.search(project, queryOf({ filters: [{ ...filter, operator }], limit: 1 }));
    expect((await found('contains')).total).toBe(1);
    expect((await found('not contains')).total).toBe(EVENTS - 1);
  }, 120_000);
});
