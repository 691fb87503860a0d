import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent } from '@assay/domain';
import { createChdbEventStore, type EmbeddedEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import type { AdministrationPort, MergedPartition, MergeLimits } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { silentLogger, waitFor } from '@assay/testing';
import { NOW, PROJECT } from '../../test/store-batch-fixture.js';
import { MAX_QUIET_RECORDS, startQuietMerges, type QuietMerges } from './quiet-merges.js';

const QUIET_MS = 5;
const LIMITS = { maxBytes: 1024 ** 3, signal: new AbortController().signal };

describe('merging parts while little is stored', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-quiet-merges-'));
  let store: EmbeddedEventStore;
  let merges: QuietMerges | undefined;
  /** What was done, in its order: a look whether the store is quiet, or the outcome of a merge. */
  const steps: ('look' | MergedPartition | undefined)[] = [];

  beforeAll(async () => {
    store = createChdbEventStore({ dir });
    await store.administration.migrate();
  });
  beforeEach(async () => {
    steps.length = 0;
    for (let version = 1; version <= 3; version++) {
      const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
      const { event } = acceptEvent({ event_type: 'model', inputs: { q: randomUUID() } }, context);
      await store.writer.write({
        rows: [{ bytes: Buffer.from(encodeEventRow(event)), version }],
        ...{ tombstones: [], changes: [], token: randomUUID() },
      });
    }
  });
  afterEach(() => merges?.stop());
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const start = (mergeParts = (limits: MergeLimits) => store.mergeParts(limits)) => {
    const queryLoad = () => {
      steps.push('look');
      return store.administration.queryLoad();
    };
    merges = startQuietMerges({
      ...{
        store: { administration: portWith<AdministrationPort>({ queryLoad }) },
        logger: silentLogger,
        quietMs: QUIET_MS,
      },
      mergeParts: async (limits) => {
        const merged = await mergeParts(limits);
        steps.push(merged);
        return merged;
      },
    });
    return { merges };
  };
  const firstMerge = () => waitFor('a merge', () => steps.find((step) => step !== 'look') as MergedPartition);

  it('merges every partition', async () => {
    start();
    await waitFor('nothing is left to merge', () => steps.length > 0 && steps.at(-1) === undefined);
    expect(await store.mergeParts(LIMITS)).toBeUndefined();
  });

  it('waits while more than a few records are stored', async () => {
    start().merges.noteBatch(MAX_QUIET_RECORDS + 1);
    await firstMerge();
    expect(steps.slice(0, 2)).toStrictEqual(['look', 'look']);
  });

  it('merges beside a few records', async () => {
    start().merges.noteBatch(MAX_QUIET_RECORDS);
    await firstMerge();
    expect(steps.slice(0, 2)).toMatchObject(['look', { parts: expect.any(Number) as number }]);
  });

  it('cancels a merge when a load begins', async () => {
    const running = start((limits) => {
      running.merges.noteBatch(MAX_QUIET_RECORDS + 1);
      return store.mergeParts(limits);
    });
    await waitFor('the end of a merge', () => steps.length > 1);
    expect(steps).toStrictEqual(['look', undefined]);
    await running.merges.stop();
    expect(await store.mergeParts(LIMITS)).toBeDefined();
  });

  it('cancels a merge when it is stopped', async () => {
    const running = start((limits) => {
      void running.merges.stop();
      return store.mergeParts(limits);
    });
    await waitFor('the end of a merge', () => steps.length > 1);
    await running.merges.stop();
    expect(steps).toStrictEqual(['look', undefined]);
  });

  it('retries after a failure', async () => {
    let calls = 0;
    start((limits) => (calls++ === 0 ? Promise.reject(new Error('not now')) : store.mergeParts(limits)));
    expect(await firstMerge()).toMatchObject({ parts: expect.any(Number) as number });
  });
});
