import type { JsonObject } from '@assay/domain';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';

const LAST = Date.parse('2026-03-01T23:59:59.999Z');
/** A range, and the names of the events in it: of the last moment of a day, and of the first of the next one. */
const RANGES: readonly [dateRange: JsonObject, names: readonly string[]][] = [
  [{ $gte: '2026-03-01', $lte: '2026-03-01' }, ['last']],
  [{ start_time: '2026-03-02', end_time: '2026-03-02' }, ['next']],
  [{ gte: '2026-03-01', lte: '2026-03-02' }, ['last', 'next']],
  [{ $lte: '2026-03-01-02:00' }, ['last', 'next']],
  [{ $lte: '2026-03-01+02:00' }, []],
  [{ $lte: '2026-03-01T23:59:59.998Z' }, []],
];

/** An upper bound that is a date means the end of that day, whatever the route. */
describe('a range that ends on a date', () => {
  const run = aRun({});
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
    served.runs.set(run.run_id, run);
    const metadata = { run_id: run.run_id };
    await served.add(
      ['last', 'next'].map((name, index) => ({
        ...{ event_name: name, event_type: 'session', start_time: LAST + index, metadata, metrics: { m: 1 } },
        ...{ event_id: `0000000${index}-0000-4000-8000-000000000000` },
        session_id: `0000000${index}-0000-4000-8000-000000000000`,
        inputs: { [name]: 1 },
      })),
    );
  });
  afterAll(() => served.stop());

  const namesOf = (list: unknown, key = 'event_name') => (list as JsonObject[]).map((one) => one[key]).sort();
  const post = async (path: string, body: object) => {
    const { status, body: response } = await served.call(path, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect([path, status]).toEqual([path, 200]);
    return response;
  };
  const get = async (path: string) => {
    const { status, body } = await served.call(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  it.each(RANGES)('selects the same events in every route: %j', async (dateRange, names) => {
    const sent = `dateRange=${encodeURIComponent(JSON.stringify(dateRange))}`;
    for (const path of ['/v1/events/search', '/v1/events/export', '/v1/events/page'])
      expect([path, namesOf((await post(path, { dateRange }))['events'])]).toEqual([path, names]);
    expect(namesOf((await get(`/v1/events?${sent}`))['events'])).toEqual(names);
    expect(namesOf((await get(`/v1/sessions?${sent}`))['sessions'], 'session_name')).toEqual(names);
    expect(namesOf((await get(`/v1/runs/${run.run_id}/metrics?${sent}`))['events'])).toEqual(names);
    const values = (await get(`/v1/events/values?field=event_name&${sent}`))['values'];
    expect(namesOf(values, 'value')).toEqual(names);
    const [, end = ''] = Object.values(dateRange);
    const filters = [
      { field: 'start_time', operator: '$lte', value: end === '' ? Object.values(dateRange)[0] : end },
    ];
    if (Object.keys(dateRange).length === 1)
      expect(namesOf((await post('/v1/events/search', { filters }))['events'])).toEqual(names);
  });

  it('counts the same events in a chart', async () => {
    const dateRange = encodeURIComponent(JSON.stringify({ $gte: '2026-03-01', $lte: '2026-03-01' }));
    const query = `metric=event_id&aggregation=count&bucket=day&dateRange=${dateRange}`;
    expect(await get(`/v1/events/chart?${query}`)).toMatchObject({ totalEvents: 1 });
  });
});
