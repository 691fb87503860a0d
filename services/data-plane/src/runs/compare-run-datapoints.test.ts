import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@assay/domain';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { storeTwoRuns } from '../../test/two-runs.js';

/* Accuracy, old to new: d1 1 to 1, d2 0 to 1, d3 0.5 to 0.25, d4 0.25 to 0.75, d5 only new; see run-results.test.ts. */
describe('the datapoints of two runs', () => {
  let served: ServedRuns;
  let ids: { oldId: string; newId: string };
  beforeAll(async () => {
    served = await serveRuns();
    ids = await storeTwoRuns(served);
    await served.add([
      {
        session_id: '20000000-0000-4000-8000-000000000005',
        event_name: 'failed',
        error: 'no',
        start_time: 1_790_000_009_000,
      },
    ]);
  });
  afterAll(() => served.stop());

  const post = (body: JsonObject, newId = ids.newId, oldId = ids.oldId) =>
    served.call(`/v1/runs/${newId}/compare/${oldId}/datapoints`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
  const rowsOf = async (body: JsonObject) => {
    const response = await post(body);
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return response.body['rows'] as JsonObject[];
  };
  const listed = async (body: JsonObject) =>
    (await rowsOf(body)).map((row) => [row['datapoint_id'], row['delta'], row['verdict']]);

  it('are compared by a metric, the largest loss first', async () => {
    expect(await listed({ metric: 'accuracy' })).toEqual([
      ['d3', -0.25, 'worse'],
      ['d1', 0, 'same'],
      ['d4', 0.5, 'better'],
      ['d2', 1, 'better'],
      ['d5', null, 'missing'],
    ]);
    const { body, headers } = await post({ metric: 'accuracy', only: ['worse'] });
    expect(body['counts']).toEqual({ worse: 1, better: 2, same: 1, missing: 1, error: 1 });
    expect(headers.get('assay-freshness')).toBe('current');
    expect(body['rows']).toHaveLength(1);
    expect(await listed({ metric: 'accuracy', only: ['error'] })).toEqual([['d5', null, 'missing']]);
  });

  it('show the event of a name, with previews', async () => {
    const [row] = await rowsOf({
      metric: 'accuracy',
      event_name: 'answer',
      only: ['worse'],
      preview_chars: 5,
    });
    expect(row).toMatchObject({
      datapoint_id: 'd3',
      inputs_preview: '{"que',
      ground_truth_preview: null,
      old: {
        session_id: expect.stringMatching(/^1.*3$/) as string,
        event_id: expect.stringMatching(/^1.*3$/) as string,
        outputs_preview: '{}',
        payload_bytes: 20,
        metrics: { accuracy: 0.5, polite: 0 },
        score: 0.5,
        duration: null,
        cost: null,
        error: null,
      },
    });
  });

  it('are compared by passing without a metric, and have computed composites', async () => {
    expect(await listed({ only: ['better', 'worse'] })).toEqual([
      ['d2', 1, 'better'],
      ['d4', 1, 'better'],
    ]);
    expect((await rowsOf({ metric: 'overall', sort: 'gain', limit: 1 }))[0]).toMatchObject({
      datapoint_id: 'd2',
      delta: 0.5,
    });
  });

  it('are read in pages by a cursor of the same order', async () => {
    const first = await post({ metric: 'accuracy', limit: 2 });
    const cursor = first.body['next_cursor'];
    expect((await listed({ metric: 'accuracy', limit: 2, cursor: cursor! })).map(([id]) => id)).toEqual([
      'd4',
      'd2',
    ]);
    const other = await post({ metric: 'polite', cursor: cursor! });
    expect([other.status, other.body['message']]).toEqual([400, expect.stringContaining('cursor')]);
    const last = await post({ metric: 'accuracy', limit: 5 });
    expect(last.body['next_cursor']).toBeNull();
  });

  it('of unknown runs and of runs of other projects are 404', async () => {
    const foreign = randomUUID();
    served.runs.set(foreign, aRun({ run_id: foreign, scope_id: 'p2' }));
    expect((await post({}, foreign)).status).toBe(404);
    expect((await post({}, ids.newId, randomUUID())).status).toBe(404);
  });

  it.each<[JsonObject, string]>([
    [{ only: ['bad'] }, 'only[0]'],
    [{ sort: 'up' }, 'sort'],
    [{ limit: 201 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ metric: '' }, 'metric'],
    [{ cursor: 'x' }, 'cursor'],
    [{ preview_chars: 501 }, 'preview_chars'],
    [{ filters: [{ field: 'a', operator: 'like' }] }, 'filters[0].operator'],
    [{ unknown: 1 }, 'unknown'],
  ])('are rejected for %j', async (body, message) => {
    const response = await post(body);
    expect([response.status, response.body['message']]).toEqual([400, expect.stringContaining(message)]);
  });
});
