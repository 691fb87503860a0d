import type { ChartResponse } from '@assay/contracts';
import { CALLER } from '../../test/stored-events.js';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const iso = (hours: number) => new Date(START + hours * HOUR).toISOString();
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const range = (hours: number) => `dateRange=${encoded({ $gte: START, $lte: START + hours * HOUR - 1 })}`;
const run = aRun();

interface Row {
  readonly bucket: string;
  readonly group?: string;
  readonly value: number | null;
  readonly count: number;
}

const CHART: ChartResponse = {
  id: 'c1',
  name: 'latency',
  description: null,
  metric: 'duration',
  func: 'max',
  groupBy: 'event_name',
  bucketing: 'hour',
  dateRange: { $gte: START, $lte: START + 2 * HOUR - 1 },
  query: [{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }],
  owner_id: null,
  is_active: true,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

describe('charts', () => {
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
    const at = (hours: number, duration: number) => ({ start_time: START + hours * HOUR, duration });
    await served.add([
      { ...at(0.1, 10), event_name: 'answer', metrics: { accuracy: 1 }, metadata: { run_id: run.run_id } },
      { ...at(0.9, 30), event_name: 'answer', metrics: { accuracy: 0 } },
      { ...at(2.5, 50), event_name: 'search', event_type: 'tool', metadata: { env: 'prod' } },
    ]);
    served.charts.set(CHART.id, CHART);
  });
  afterAll(() => served.stop());
  const chart = async (query: string, path = '/v1/events/chart') => {
    const { status, body, headers } = await served.call(`${path}?${query}`);
    return { status, body, headers, rows: (body['events'] ?? []) as unknown as Row[] };
  };

  it('have every bucket of the range, in order, and say what they show', async () => {
    const { status, body, headers } = await chart(range(4));
    expect([status, headers.get('assay-freshness')]).toEqual([200, 'current']);
    expect(body).toEqual({
      events: [
        { bucket: iso(0), value: 20, count: 2 },
        { bucket: iso(1), value: null, count: 0 },
        { bucket: iso(2), value: 50, count: 1 },
        { bucket: iso(3), value: null, count: 0 },
      ],
      totalEvents: 3,
      bucket: 'hour',
      from: iso(0),
      to: new Date(START + 4 * HOUR - 1).toISOString(),
      timezone: 'UTC',
    });
    expect((await chart(range(4), '/events/chart')).body).toEqual(body);
  });

  it('have every bucket of every group', async () => {
    const { rows } = await chart(`${range(3)}&groupBy=event_name&aggregation=COUNT`);
    expect(rows.map(({ group, value }) => [group, value])).toEqual([
      ['answer', 2],
      ['answer', 0],
      ['answer', 0],
      ['search', 0],
      ['search', 0],
      ['search', 1],
    ]);
  });

  it.each([
    ['the name of a metric', 'metric=accuracy', [0.5, null, null]],
    ['a path', 'metric=metrics.accuracy&aggregation=sum', [1, 0, 0]],
    ['a run', `evaluation_id=${run.run_id}`, [10, null, null]],
    ['runs', 'only_experiments=true', [10, null, null]],
    ['filters', `filters=${encoded([{ field: 'metadata.env', value: 'prod' }])}`, [null, null, 50]],
    ['filters in Python', `filters[]={'field': 'event_type', 'value': 'tool'}`, [null, null, 50]],
    ['absent values of Python', 'bucket=None&evaluation_id=None', [20, null, 50]],
  ])('are of %s', async (_title, query, expected) => {
    const { rows } = await chart(`${range(3)}&${query}`);
    expect(rows.map(({ value }) => value)).toEqual(expected);
  });

  it.each([
    ['bucket=1d&timezone=Asia/Kolkata', ['2026-10-31T18:30:00.000Z'], 'day'],
    ['bucket=weeks', ['2026-10-26T00:00:00.000Z'], 'week'],
    ['bucket=month&timezone=America/New_York', ['2026-10-01T04:00:00.000Z'], 'month'],
  ])('have buckets of %s', async (query, starts, width) => {
    const { rows, body } = await chart(`${range(3)}&${query}`);
    expect([rows.map(({ bucket }) => bucket), rows[0]?.count, body['bucket']]).toEqual([starts, 3, width]);
  });

  it.each([
    [1, 'minute', 60],
    [12, 'five_minute', 144],
    [24 * 7, 'hour', 168],
    [24 * 60, 'day', 60],
  ])('of %d hours have automatic buckets of a %s', async (hours, width, buckets) => {
    const { rows, body } = await chart(`${range(hours)}&bucket=auto`);
    expect([body['bucket'], rows.length]).toEqual([width, buckets]);
  });

  it('are of the last 7 days without a range, and empty for a reversed one', async () => {
    const { body, rows } = await chart('bucket=day');
    const { from, to } = body as unknown as { from: string; to: string };
    expect(Date.parse(to) - Date.parse(from)).toBe(7 * 24 * HOUR);
    expect([7, 8]).toContain(rows.length);
    const reversed = await chart(`dateRange=${encoded({ $gte: 2, $lte: 1 })}`);
    expect(reversed.body).toMatchObject({ events: [], totalEvents: 0 });
  });

  it('have a bounded number of points', async () => {
    await served.add(
      Array.from({ length: 60 }, (_, index) => ({ start_time: 0, event_name: `name ${index}` })),
    );
    const week = `dateRange=${encoded({ $gte: 0, $lte: 7 * 24 * HOUR })}&groupBy=event_name&metric=event_id&aggregation=count`;
    expect((await chart(`${week}&bucket=five_minute`)).status).toBe(400);
    const hourly = await chart(`${week}&bucket=hour`);
    expect(hourly.rows).toHaveLength(51 * 169);
    expect(hourly.rows.at(-169)).toEqual({
      bucket: new Date(0).toISOString(),
      group: 'other',
      is_rest: true,
      value: 10,
      count: 10,
    });
  });

  describe('that are saved', () => {
    const maxima = [
      { bucket: iso(0), group: 'answer', value: 30, count: 2 },
      { bucket: iso(1), group: 'answer', value: null, count: 0 },
    ];

    it('have data, also on the path of the project', async () => {
      const { status, body } = await served.call('/v1/charts/c1/data');
      expect([status, body]).toMatchObject([
        200,
        { success: true, data: { events: maxima, totalEvents: 2 } },
      ]);
      const path = `/v1/projects/${CALLER.projectId}/charts/c1/data`;
      expect((await served.call(path)).body).toEqual(body);
      expect((await served.call('/charts/c1/data')).body).toEqual(body);
    });

    it('have the range, the width and the time zone of the request', async () => {
      const query = `${range(24)}&bucketing=day&timezone=Europe/Berlin`;
      const { body } = await served.call(`/v1/charts/c1/data?${query}`);
      const events = [
        { bucket: '2026-10-31T23:00:00.000Z', group: 'answer', value: 30, count: 2 },
        { bucket: '2026-11-01T23:00:00.000Z', group: 'answer', value: null, count: 0 },
      ];
      expect(body).toMatchObject({ data: { events, bucket: 'day', timezone: 'Europe/Berlin' } });
    });

    it.each(['/v1/charts/unknown/data', '/v1/projects/other/charts/c1/data', '/v1/charts/__proto__/data'])(
      'are not found at %s',
      async (path) => {
        const { status, body } = await served.call(path);
        expect([status, body['errorCode']]).toEqual([404, 'NOT_FOUND']);
      },
    );
  });

  it('wait for everything that was accepted before', async () => {
    served.waits.length = 0;
    await chart(range(1));
    await served.call('/v1/charts/c1/data', { headers: { Prefer: 'wait=5' } });
    expect(served.waits).toEqual([2_000, 5_000]);
  });

  it.each([
    ['an unknown bucket', 'bucket=fortnight', 'bucket'],
    ['an unknown aggregation', 'aggregation=p101', 'aggregation'],
    ['an average of text', 'metric=event_name&aggregation=avg', 'aggregation'],
    ['an index of a list between dots', 'metric=outputs.scores.0', 'metric must name an item of a list in'],
    ['an index in a group', 'groupBy=inputs.messages.0.role', 'such as inputs.messages[0].content'],
    [
      'an index in a filter',
      `filters=${encoded([{ field: 'inputs.messages.0.role', value: 'user' }])}`,
      'filters[0].field must name an item of a list in brackets',
    ],
    ['a field that no event has', 'metric=duration.x', 'metric'],
    ['an empty metric', 'metric=', 'metric'],
    ['a metric that is too long', `metric=${'x'.repeat(201)}`, 'metric'],
    ['a group that no event has', 'groupBy=nothing', 'groupBy'],
    ['an unknown time zone', 'timezone=Mars/Olympus', 'timezone'],
    ['a time zone with SQL', `timezone=${encodeURIComponent("UTC'); --")}`, 'timezone'],
    ['too many buckets', 'bucket=minute&dateRange=1y', 'buckets'],
    ['a year after 9999', `dateRange=${encoded({ $gte: 1e200 })}`, 'dateRange'],
    ['nonsense as a range', 'dateRange=yesterday', 'dateRange'],
    ['a negative time', `dateRange=${encoded({ $gte: -1 })}`, 'dateRange'],
    ['a run that is no UUID', 'evaluation_id=x', 'UUID'],
    ['a flag that is none', 'only_experiments=maybe', 'only_experiments'],
    [
      '51 filters',
      `filters=${encoded(Array.from({ length: 51 }, () => ({ field: 'a', value: 1 })))}`,
      'filters',
    ],
    ['an unknown type of a filter', `filters=${encoded([{ field: 'a', value: 1, type: 'id' }])}`, 'type'],
    ['a deep query string', 'filters[0][a][b][c][d][e][f]=1', 'nested'],
    ['a Python literal with a call', `filters=${encodeURIComponent("[{'field': exit()}]")}`, 'filters'],
  ])('refuse %s', async (_title, query, message) => {
    const { status, body } = await chart(query);
    expect([status, body['errorCode'], body['success']]).toEqual([400, 'VALIDATION_ERROR', false]);
    expect(body['message']).toEqual(expect.stringContaining(message));
  });
});
