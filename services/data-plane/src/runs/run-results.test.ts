import { aRun, golden, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { storeTwoRuns } from '../../test/two-runs.js';

/*
 * The new run, by hand. Accuracy passes from 0.5, overall = (3 · accuracy + polite) / 4 passes from 0.6, and polite
 * is a client's score without a condition.
 *
 *          accuracy   polite   overall              passes
 *   d1     1          1        (3 + 1) / 4 = 1      yes
 *   d2     1          0        3 / 4 = 0.75         yes
 *   d3     0.25       0        0.75 / 4 = 0.1875    no
 *   d4     0.75       1        3.25 / 4 = 0.8125    yes
 *   d5     0          1        1 / 4 = 0.25         no
 *   mean   3 / 5 = 0.6   3 / 5 = 0.6   3 / 5 = 0.6
 *   p90 of accuracy: 0, 0.25, 0.75, 1, 1; position 3.6 is 1. Median 0.75. Sum 3. Count 5.
 *   p90 of overall: position 3.6 is 0.4 · 0.8125 + 0.6 · 1 = 0.925.
 *
 * The old run:
 *
 *   d1     1          1        1                    yes
 *   d2     0          1        0.25                 no
 *   d3     0.5        0        0.375                no
 *   d4     0.25       1        1.75 / 4 = 0.4375    no
 *   mean   1.75 / 4 = 0.4375   0.75   2.0625 / 4 = 0.515625
 *
 * Compared on d1 to d4: accuracy 0, +1, -0.25, +0.5, mean 1.25 / 4 = 0.3125; polite 0, -1, 0, 0, mean -0.25;
 * overall 0, +0.5, -0.1875, +0.375, mean 0.6875 / 4 = 0.171875. Accuracy passes (old, new): d1 both, d2 gained,
 * d3 lost (0.5 to 0.25), d4 gained: McNemar of 2 and 1 has p = 1. Overall: d2 and d4 gained, p = 2 · 0.25 = 0.5.
 * Polite: d2 lost, p = 1. Change of the means: accuracy 0.1625 (37.142857 %), polite -0.15 (-20 %), overall
 * 0.084375 (16.363636 %). Effect of accuracy: 0.3125 / sqrt(0.921875 / 3) = 0.563735. Four pairs are too few for a verdict, so that no p-value is corrected.
 */
describe('two runs', () => {
  let served: ServedRuns;
  let ids: { oldId: string; newId: string };
  beforeAll(async () => {
    served = await serveRuns();
    ids = await storeTwoRuns(served);
  });
  afterAll(() => served.stop());

  const get = (path: string) => served.call(`/v1/runs/${path}`);

  it('have the result that was computed by hand', async () => {
    const { status, body } = await get(`${ids.newId}/result`);
    expect([status, body]).toEqual([200, golden('run-result.json')]);
  });

  it('have the same summary, with another aggregate function', async () => {
    const { body } = await get(`${ids.newId}/summary?aggregate_function=p90`);
    expect(body).toEqual(golden('run-summary.json'));
  });

  it('have the comparison that was computed by hand', async () => {
    const { status, body } = await get(`${ids.newId}/compare/${ids.oldId}`);
    expect([status, body]).toEqual([200, golden('run-comparison.json')]);
    const deprecated = await get(`${ids.newId}/compare-with/${ids.oldId}`);
    expect(deprecated.body).toEqual(body);
    expect(deprecated.headers.get('deprecation')).not.toBeNull();
  });

  it.each([
    ['median', 0.75],
    ['min', 0],
    ['max', 1],
    ['sum', 3],
    ['count', 5],
    ['p95', 1],
    ['unknown', 0.6],
  ])('are aggregated by %s', async (name, expected) => {
    const { body } = await get(`${ids.newId}/result?aggregate_function=${name}`);
    const { details } = body['metrics'] as { details: object[] };
    expect(details[0]).toMatchObject({ metric_name: 'accuracy', aggregate: expected });
  });

  it.each([
    [
      'JSON',
      encodeURIComponent(
        JSON.stringify([{ field: 'metrics.accuracy', operator: 'greater than', value: 0.9 }]),
      ),
    ],
    [
      'filterArray',
      encodeURIComponent('{"filterArray":[{"field":"metrics.accuracy","operator":"gt","value":0.9}]}'),
    ],
    [
      'Python',
      encodeURIComponent("[{'field': 'metrics.accuracy', 'operator': 'greater than', 'value': 0.9}]"),
    ],
  ])('are filtered by conditions in %s', async (_title, filters) => {
    const { body } = await get(`${ids.newId}/result?filters=${filters}`);
    expect(body).toMatchObject({
      passed: ['d1', 'd2'],
      failed: [],
      success: true,
      event_details: [{ event_name: 'answer', event_type: 'chain' }],
    });
  });

  it('list the events that have scores', async () => {
    const { body } = await get(`${ids.oldId}/metrics`);
    expect(body['totalEvents']).toBe(4);
    expect(body['events']).toMatchObject([
      { metadata: { datapoint_id: 'd1' }, metrics: { accuracy: 1, polite: true } },
      { metadata: { datapoint_id: 'd2' }, metrics: { accuracy: 0, polite: true } },
      { metadata: { datapoint_id: 'd3' } },
      { metadata: { datapoint_id: 'd4' } },
    ]);
    expect(Object.keys((body['events'] as { metrics: object }[])[0]?.metrics ?? {})).toEqual([
      'accuracy',
      'polite',
    ]);
    const range = encodeURIComponent('{"$gte":1790000001000,"$lte":1790000002500}');
    expect((await get(`${ids.oldId}/metrics?dateRange=${range}`)).body['totalEvents']).toBe(2);
  });

  it('pair their events by datapoint', async () => {
    const { body } = await get(`${ids.newId}/compare/${ids.oldId}/events?event_type=session`);
    const pairs = body['events'] as { datapoint_id: string; event_1: object; event_2: object }[];
    expect(pairs.map((pair) => pair.datapoint_id)).toEqual(['d1', 'd2', 'd3', 'd4']);
    expect(pairs[0]).toMatchObject({
      event_1: { event_name: 'run 2', metadata: { run_id: ids.newId }, children_ids: [expect.any(String)] },
      event_2: { event_name: 'run 1', metadata: { run_id: ids.oldId } },
    });
    expect(body['totalEvents']).toBe(4);
    const names = `run_id_1=${ids.newId}&run_id_2=${ids.oldId}`;
    expect((await get(`compare/events?${names}&event_type=session`)).body).toEqual(body);
    const second = await get(`compare/events?${names}&event_name=answer&limit=3&page=2`);
    expect(second.body).toMatchObject({
      totalEvents: 4,
      events: [{ datapoint_id: 'd4', event_1: { inputs: { question: 'q' } } }],
    });
  });

  it.each([
    ['JSON', '{"metrics.accuracy":1}', ['d1']],
    ['Python', "{'metrics.accuracy': 1}", ['d1']],
    ['None', 'None', ['d1', 'd2', 'd3', 'd4']],
    ['a regular expression', '{"event_name":".*"}', []],
  ])('pair the events that equal a filter in %s', async (_title, filter, expected) => {
    const path = `${ids.newId}/compare/${ids.oldId}/events?event_name=answer&filter=${encodeURIComponent(filter)}`;
    const { body } = await get(path);
    expect((body['events'] as { datapoint_id: string }[]).map((pair) => pair.datapoint_id)).toEqual(expected);
  });

  it('pass a gate, or are undecided', async () => {
    const gate = (body: object) =>
      served.call(`/v1/runs/${ids.newId}/gate`, { method: 'POST', body: JSON.stringify(body) });
    const { status, body } = await gate({ against: ids.oldId, metrics: ['accuracy'], min_pairs: 4 });
    expect([status, body['outcome']]).toEqual([200, 'pass']);
    expect(body['reasons']).toMatchObject([
      { metric_name: 'accuracy', pairs: 4, loss: -0.3125, outcome: 'pass', reason: 'no regression is shown' },
    ]);
    expect((await gate({ against: ids.oldId })).body['outcome']).toBe('undecided');
    expect((await gate({ against: ids.oldId, unknown: 1 })).status).toBe(400);
  });

  it('wait for what was accepted before, and tell when they are behind', async () => {
    served.waits.length = 0;
    expect((await get(`${ids.newId}/result`)).headers.get('assay-freshness')).toBe('current');
    served.freshness = { current: false, waitedMs: 5_000 };
    const response = await served.call(`/v1/runs/${ids.newId}/result`, { headers: { Prefer: 'wait=5' } });
    served.freshness = { current: true };
    expect(response.headers.get('assay-freshness')).toBe('behind; seconds=5');
    expect(response.headers.get('preference-applied')).toBe('wait=5');
    expect(served.waits.slice(0, 2)).toEqual([2_000, 5_000]);
  });

  it.each<[path: string, body: object | undefined]>([
    ['NEW/result', undefined],
    ['NEW/summary', undefined],
    ['NEW/metrics', undefined],
    ['NEW/compare/OLD', undefined],
    ['NEW/compare-with/OLD', undefined],
    ['NEW/compare/OLD/events', undefined],
    ['compare/events?run_id_1=NEW&run_id_2=OLD', undefined],
    ['NEW/compare/OLD/datapoints', {}],
    ['NEW/gate', { against: 'OLD' }],
    ['summaries', { run_ids: ['NEW', 'OLD'] }],
  ])('wait by default for what was accepted before: /v1/runs/%s', async (path, body) => {
    const named = (text: string) => text.replaceAll('NEW', ids.newId).replaceAll('OLD', ids.oldId);
    const request = body === undefined ? {} : { method: 'POST', body: named(JSON.stringify(body)) };
    served.waits.length = 0;
    const { status, headers } = await served.call(`/v1/runs/${named(path)}`, request);
    expect([status, headers.get('assay-freshness'), served.waits[0]]).toEqual([200, 'current', 2_000]);
  });

  it('let no gate pass while they are behind', async () => {
    served.freshness = { current: false, waitedMs: 2_000 };
    const request = { against: ids.oldId, metrics: ['accuracy'], min_pairs: 4 };
    const { headers, body } = await served.call(`/v1/runs/${ids.newId}/gate`, {
      method: 'POST',
      body: JSON.stringify(request),
    });
    served.freshness = { current: true };
    expect(headers.get('assay-freshness')).toBe('behind; seconds=2');
    expect([body['outcome'], body['reasons']]).toMatchObject([
      'undecided',
      [
        { outcome: 'undecided', reason: 'events that were accepted are not stored yet, retry the request' },
        { metric_name: 'accuracy', outcome: 'pass' },
      ],
    ]);
  });
});

describe('runs of which listed sessions have no events', () => {
  let served: ServedRuns;
  let ids: { oldId: string; newId: string };
  const first = { old: '10000000-0000-4000-8000-000000000001', new: '20000000-0000-4000-8000-000000000001' };
  const lost = '30000000-0000-4000-8000-000000000001';
  beforeAll(async () => {
    served = await serveRuns();
    ids = await storeTwoRuns(served);
    served.runs.set(ids.oldId, aRun({ run_id: ids.oldId, event_ids: [first.old, lost] }));
    served.runs.set(ids.newId, aRun({ run_id: ids.newId, event_ids: [first.new] }));
  });
  afterAll(() => served.stop());

  it('are no success and say so, whatever the filters', async () => {
    const filters = encodeURIComponent('[{"field":"metrics.accuracy","operator":"is","value":1}]');
    for (const query of ['', `?filters=${filters}`]) {
      const whole = await served.call(`/v1/runs/${ids.newId}/result${query}`);
      expect(whole.body).not.toHaveProperty('error');
      const { body } = await served.call(`/v1/runs/${ids.oldId}/result${query}`);
      expect(body).toMatchObject({
        success: false,
        error: '1 sessions that the run lists have no events',
      });
    }
    const filtered = await served.call(`/v1/runs/${ids.newId}/result?filters=${filters}`);
    expect(filtered.body).toMatchObject({ success: true });
  });

  it('are a warning of a comparison and leave a gate undecided', async () => {
    const reason = '1 sessions that the old run lists have no events';
    const { body } = await served.call(`/v1/runs/${ids.newId}/compare/${ids.oldId}`);
    expect(body['warnings']).toEqual([reason]);
    const gate = await served.call(`/v1/runs/${ids.newId}/gate`, {
      method: 'POST',
      body: JSON.stringify({ against: ids.oldId }),
    });
    expect(gate.body).toMatchObject({
      reasons: expect.arrayContaining([
        expect.objectContaining({ outcome: 'undecided', reason, missing: 1 }),
      ]) as object[],
    });
  });
});
