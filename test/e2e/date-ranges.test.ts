import { randomUUID } from 'node:crypto';
import { ROUTES, type Route } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { EVALUATION_SETTINGS } from './evaluation-journey.js';

/** The last millisecond of a day; the next day begins with the next one. */
const LAST = Date.parse('2026-03-01T23:59:59.999Z');
const DAY_MS = 86_400_000;
const WAIT = { prefer: 'wait=30' };
type Body = Record<string, unknown>;
/** Returns how many of the two events, or whether what was made before the end of the range, the route selects. */
type Ask = (dateRange: object) => Promise<number>;

/** What is at the last moment of a day is within a range that ends on its date, whatever the route. */
describe('a range that ends on a date, in every route that has one', () => {
  const { client } = onStack(() => startStandalone(EVALUATION_SETTINGS));
  const run_id = randomUUID();
  const ids = { metric: '', human: '', queue: '', project: '' };
  let before = 0;

  async function ask(method: string, path: string, body?: Body): Promise<Body> {
    const response = await client.call(method, path, { headers: WAIT, ...(body && { body }) });
    expect([path, response.status, response.text]).toEqual([path, 200, expect.any(String)]);
    return response.json<Body>();
  }
  const listed = (body: Body, key: string) => (body[key] as unknown[]).length;
  const sent = (dateRange: object) => `dateRange=${encodeURIComponent(JSON.stringify(dateRange))}`;
  const get = (path: string, dateRange: object) =>
    ask('GET', `${path}${path.includes('?') ? '&' : '?'}${sent(dateRange)}`);
  const fieldsOf = async (path: string, dateRange: object) => {
    const { fields } = await get(path, dateRange);
    return (fields as { name: string }[]).filter(({ name }) => /^inputs\.day\d$/.test(name)).length;
  };
  const chart = { name: 'events', metric: 'metrics.m', func: 'count', bucketing: 'day', query: [] };
  const charted = (body: Body) => (body['data'] as { totalEvents: number }).totalEvents;
  const idOf = (body: Body) => (body['data'] as { id: string }).id;
  const newChart = async (path: string, dateRange: object | null) =>
    idOf(await ask('POST', path, { ...chart, dateRange }));
  const changedChart = async (method: string, path: string, dateRange: object) => {
    const id = await newChart(path, null);
    await ask(method, `${path}/${id}`, { dateRange });
    return charted(await ask('GET', `${path}/${id}/data`));
  };
  const projectCharts = () => `/v1/projects/${ids.project}/charts`;

  /** By the names of the operations, so that a new one is not forgotten. */
  const asks: Readonly<Record<string, Ask>> = {
    createChart: async (range) =>
      charted(await ask('GET', `/v1/charts/${await newChart('/v1/charts', range)}/data`)),
    updateChart: (range) => changedChart('PUT', '/v1/charts', range),
    getChartData: async (range) =>
      charted(await get(`/v1/charts/${await newChart('/v1/charts', null)}/data`, range)),
    createProjectChart: async (range) =>
      charted(await ask('GET', `${projectCharts()}/${await newChart(projectCharts(), range)}/data`)),
    updateProjectChart: (range) => changedChart('PATCH', projectCharts(), range),
    getProjectChartData: async (range) =>
      charted(await get(`${projectCharts()}/${await newChart(projectCharts(), null)}/data`, range)),
    createDatapointBatch: async (dateRange) => {
      const body = { selectAll: true, filters: [], dateRange };
      return listed(await ask('POST', '/v1/datapoints/batch', body), 'insertedIds');
    },
    previewDatapointBatch: async (dateRange) =>
      listed(await ask('POST', '/v1/datapoints/batch/preview', { selectAll: true, dateRange }), 'datapoints'),
    listEvents: async (range) => listed(await get('/v1/events', range), 'events'),
    createDeletion: async (dateRange) =>
      Number((await ask('POST', '/v1/deletions', { dateRange, dry_run: true }))['count']),
    chartEvents: async (range) =>
      Number((await get('/v1/events/chart?metric=m&aggregation=count', range))['totalEvents']),
    exportEvents: async (dateRange) =>
      listed(await ask('POST', '/v1/events/export', { dateRange, filters: [] }), 'events'),
    pageEvents: async (dateRange) => listed(await ask('POST', '/v1/events/page', { dateRange }), 'events'),
    getEventsSchema: (range) => fieldsOf('/v1/events/schema', range),
    searchEvents: async (dateRange) =>
      listed(await ask('POST', '/v1/events/search', { dateRange }), 'events'),
    listEventValues: async (range) =>
      listed(await get('/v1/events/values?field=inputs.day', range), 'values'),
    getMetricAgreement: async (range) =>
      Number((await get(`/v1/metrics/${ids.metric}/agreement?with=${ids.human}`, range))['n']),
    evaluateStoredEvents: async (dateRange) => {
      const { job } = await ask('POST', `/v1/metrics/${ids.metric}/evaluate`, { dateRange });
      const { id } = job as { id: string };
      const ended = await waitFor('the job has ended', async () => {
        const { job: found } = await ask('GET', `/v1/jobs/${id}`);
        const { state, counts } = found as { state: string; counts: { events: number } };
        return state === 'running' ? undefined : counts;
      });
      return ended.events;
    },
    backfillQueue: async (dateRange) =>
      Number((await ask('POST', `/v1/queues/${ids.queue}/backfill`, { dateRange }))['matched']),
    getRunsSchema: (range) => fieldsOf('/v1/runs/schema', range),
    listRunMetrics: async (range) => listed(await get(`/v1/runs/${run_id}/metrics`, range), 'events'),
    getRunSchema: (range) => fieldsOf(`/v1/runs/${run_id}/schema`, range),
    listSessions: async (range) => listed(await get('/v1/sessions', range), 'sessions'),
    getUsage: async (range) =>
      ((await get('/v1/usage', range)) as { total: { num_sessions: number } }).total.num_sessions,
  };
  /** By the time of what the product wrote, which is that of the test. */
  const asksOfNow: Readonly<Record<string, Ask>> = {
    listRuns: async (range) => listed(await get('/v1/runs', range), 'evaluations'),
    listMetricDecisions: async (range) =>
      Number((await get(`/v1/metrics/${ids.metric}/decisions`, range))['total']),
  };

  beforeAll(async () => {
    before = Date.now();
    const createMetric = async (fields: object) =>
      (await ask('POST', '/v1/metrics', { return_type: 'boolean', criteria: 'result = True', ...fields }))[
        'metric_id'
      ] as string;
    ids.metric = await createMetric({
      ...{ name: 'evaluated', type: 'PYTHON', enabled_in_prod: true, sampling_percentage: 100 },
    });
    ids.human = await createMetric({ name: 'people', type: 'HUMAN' });
    const filterArray = [{ field: 'event_type', operator: 'is', value: 'session', type: 'string' }];
    const queue = { name: 'q', enabled: false, filters: { filterArray } };
    ids.queue = ((await ask('POST', '/v1/queues', queue))['queue'] as { id: string }).id;
    const { evaluation } = await ask('POST', '/v1/runs', { run_id, name: 'r', status: 'completed' });
    ids.project = (evaluation as { scope_id: string }).scope_id;
    for (const day of [0, 1])
      await ask('POST', '/v1/sessions', {
        ...{ session_name: `day ${day}`, start_time: LAST + day, inputs: { day, [`day${day}`]: 1 } },
        ...{ metadata: { run_id, datapoint_id: `d${day}` }, metrics: { m: 1, people: true } },
      });
    await waitFor('both have scores', async () => (await asks['getMetricAgreement']?.({})) === 2);
  });

  const rangeOf = ({ query, body }: Route) => JSON.stringify([query, body]).includes('"dateRange"');
  it.each(ROUTES.filter(rangeOf).map(({ operation }) => operation))('%s', async (operation) => {
    const asked = asks[operation];
    if (asked) {
      expect(await asked({ $gte: '2026-03-01', $lte: '2026-03-01' })).toBe(1);
      expect(await asked({ gte: '2026-03-01', lte: '2026-03-02' })).toBe(2);
      return;
    }
    const day = (time: number) => new Date(time).toISOString().slice(0, 10);
    const ofNow = asksOfNow[operation];
    expect(await ofNow?.({ $gte: day(before), $lte: day(Date.now()) })).toBeGreaterThan(0);
    expect(await ofNow?.({ $lte: day(before - DAY_MS) })).toBe(0);
  });
});
