import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@assay/domain';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { storeTwoRuns } from '../../test/two-runs.js';

/* The scores and passes of the two runs are computed by hand in run-results.test.ts. */
describe('summaries of runs', () => {
  let served: ServedRuns;
  let ids: { oldId: string; newId: string };
  const measured = randomUUID();
  beforeAll(async () => {
    served = await serveRuns();
    ids = await storeTwoRuns(served);
    served.runs.set(measured, aRun({ run_id: measured }));
    const session = (duration: number | null, child: object) => {
      const session_id = randomUUID();
      const metadata = { run_id: measured };
      const start_time = 1_790_000_000_000;
      return [
        { event_id: session_id, session_id, event_type: 'session' as const, metadata, start_time, duration },
        { session_id, start_time, ...child },
      ];
    };
    await served.add([
      ...session(100, { metadata: { total_tokens: 5, cost: 0.5 } }),
      ...session(null, { duration: 300, metadata: { total_tokens: 7 }, error: 'failed' }),
      ...session(null, {}),
    ]);
  });
  afterAll(() => served.stop());

  const post = (body: unknown) =>
    served.call('/v1/runs/summaries', { method: 'POST', body: JSON.stringify(body) });

  it('have the numbers of the results, and of the sessions', async () => {
    const { status, body } = await post({
      run_ids: [measured, ids.newId, randomUUID(), ids.oldId, measured],
    });
    expect(status).toBe(200);
    const none = {
      errors: 0,
      duration_p50: null,
      duration_p95: null,
      tokens: 0,
      cost: 0,
      unpriced_models: [],
    };
    expect(body['summaries']).toEqual([
      {
        run_id: measured,
        sessions: 3,
        datapoints: 3,
        passed: 2,
        failed: 1,
        metrics: {},
        errors: 1,
        duration_p50: 200,
        duration_p95: 290,
        tokens: 12,
        cost: null,
        unpriced_models: ['unknown'],
      },
      {
        run_id: ids.newId,
        sessions: 5,
        datapoints: 5,
        passed: 3,
        failed: 2,
        metrics: { accuracy: 0.6, polite: 0.6, overall: 0.6 },
        ...none,
      },
      {
        run_id: ids.oldId,
        sessions: 4,
        datapoints: 4,
        passed: 1,
        failed: 3,
        metrics: { accuracy: 0.4375, polite: 0.75, overall: 0.515625 },
        ...none,
      },
    ]);
  });

  it('are those of the result of each run', async () => {
    const { body } = await post({ run_ids: [ids.newId] });
    const result = (await served.call(`/v1/runs/${ids.newId}/result`)).body as {
      passed: string[];
      failed: string[];
    };
    const [summary] = body['summaries'] as JsonObject[];
    expect(summary).toMatchObject({ passed: result.passed.length, failed: result.failed.length });
  });

  it('leave out runs of other projects and unknown runs', async () => {
    const foreign = randomUUID();
    served.runs.set(foreign, aRun({ run_id: foreign, scope_id: 'p2' }));
    expect((await post({ run_ids: [foreign, randomUUID()] })).body).toEqual({ summaries: [] });
  });

  it.each<[unknown, string]>([
    [{}, 'run_ids is required'],
    [{ run_ids: [] }, 'run_ids'],
    [{ run_ids: ['x'] }, 'run_ids[0]'],
    [{ run_ids: Array.from({ length: 101 }, () => measured) }, 'run_ids'],
    [{ run_ids: [measured], filters: [] }, 'filters'],
  ])('are rejected for %j', async (body, message) => {
    const response = await post(body);
    expect([response.status, response.body['message']]).toEqual([400, expect.stringContaining(message)]);
  });
});
