import { randomUUID } from 'node:crypto';
import type { LineStream } from '@assay/http';
import { aRun } from '../../test/run-fixture.js';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeExportEvents } from '../events/export-events.js';
import { makeCompareRunDatapoints } from './compare-run-datapoints.js';
import { makeListRunSummaries } from './list-run-summaries.js';

const [oldRun, newRun] = [aRun(), aRun()];

describe('the statements of a client that disconnects', () => {
  let stored: StoredEvents;
  beforeAll(async () => {
    stored = await startStoredEvents();
    await stored.add(
      [oldRun, newRun].flatMap(({ run_id }) =>
        Array.from({ length: 600 }, (_, n) => ({
          event_id: randomUUID(),
          metadata: { run_id, datapoint_id: `d${n}` },
          metrics: { score: n },
        })),
      ),
    );
  });
  afterAll(() => stored.stop());

  /** Dependencies with which the client disconnects once the control plane has returned the runs. */
  function disconnecting() {
    const client = new AbortController();
    const runs = () => {
      client.abort();
      return Promise.resolve({ runs: [oldRun, newRun], metrics: [] });
    };
    return { deps: stored.deps({ runs }), context: { ...CONTEXT, signal: client.signal } };
  }

  it('are not run for summaries of runs', async () => {
    const { deps, context } = disconnecting();
    const body = { run_ids: [oldRun.run_id, newRun.run_id] };
    const reading = makeListRunSummaries(deps)({ body, params: undefined, query: {} }, context);
    await expect(reading).rejects.toMatchObject({ cause: { code: 'UNAVAILABLE' } });
  });

  it('are not run for compared datapoints', async () => {
    const { deps, context } = disconnecting();
    const params = { old_run_id: oldRun.run_id, new_run_id: newRun.run_id };
    const reading = makeCompareRunDatapoints(deps)({ body: {}, params, query: {} }, context);
    await expect(reading).rejects.toMatchObject({ cause: { code: 'UNAVAILABLE' } });
  });

  it('end an export of lines after the page that was being read', async () => {
    const client = new AbortController();
    const context = { ...CONTEXT, headers: { accept: 'application/x-ndjson' }, signal: client.signal };
    const request = { body: {}, params: undefined, query: {} } as never;
    const lines = (await makeExportEvents(stored.deps())(request, context)) as unknown as LineStream;
    const pages = lines.pages[Symbol.asyncIterator]();
    expect((await pages.next()).done).toBe(false);
    client.abort();
    await expect(pages.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('leave their slots to the next ones', async () => {
    const runs = () => Promise.resolve({ runs: [oldRun, newRun], metrics: [] });
    const body = { run_ids: [oldRun.run_id, newRun.run_id] };
    const request = { body, params: undefined, query: {} } as never;
    const response = await makeListRunSummaries(stored.deps({ runs }))(request, CONTEXT);
    expect(response).toMatchObject({ body: { summaries: [{}, {}] } });
  });
});
