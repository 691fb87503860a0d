import { randomUUID } from 'node:crypto';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { storeTwoRuns } from '../../test/two-runs.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
/** Texts that a conversion to a number would take; a score is a number or a boolean. */
const TEXTS_LIKE_NUMBERS = { b: 'NaN', c: 'Infinity', d: '-inf', e: '1e999', f: '0x1F', g: '', h: '1' };
const FILTERS_51 = encoded(Array.from({ length: 51 }, () => ({ field: 'a', value: 1 })));

const valueOfDepth = (depth: number) =>
  `[{"field":"metadata.a","value":${'['.repeat(depth)}1${']'.repeat(depth)}}]`;

describe('requests about runs', () => {
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
    served.runs.set(ID, aRun({ run_id: ID }));
  });
  afterAll(() => served.stop());
  const routes = (id: string) => [
    `/v1/runs/${id}/result`,
    `/v1/runs/${id}/summary`,
    `/v1/runs/${id}/metrics`,
    `/v1/runs/${id}/compare/${ID}`,
    `/v1/runs/${ID}/compare/${id}`,
    `/v1/runs/${ID}/compare-with/${id}`,
    `/v1/runs/${id}/compare/${ID}/events`,
    `/v1/runs/compare/events?run_id_1=${ID}&run_id_2=${id}`,
    `/v1/runs/${id}/schema`,
    `/events/schema?evaluation_id=${id}`,
    `/runs/${id}/result`,
  ];

  it('treat runs of other projects as missing', async () => {
    const other = aRun({ scope_id: 'another-project' });
    served.runs.set(other.run_id, other);
    for (const id of [randomUUID(), other.run_id])
      for (const path of routes(id)) {
        const { status, body } = await served.call(path);
        expect([path, status, body['errorCode'], body['message']]).toEqual([
          path,
          404,
          'NOT_FOUND',
          'run not found',
        ]);
      }
    const body = JSON.stringify({ against: other.run_id });
    expect((await served.call(`/v1/runs/${ID}/gate`, { method: 'POST', body })).status).toBe(404);
  });

  it('refuse ids that are no UUIDs', async () => {
    for (const path of routes('not-a-uuid')) {
      const { status, body } = await served.call(path);
      expect([path, status]).toEqual([path, 400]);
      expect(body['message']).toEqual(expect.stringContaining('UUID'));
    }
  });

  it.each([
    ['an unknown aggregate function', 'summary?aggregate_function=mode'],
    ['an unknown aggregate function of a comparison', `compare/${ID}?aggregate_function=mode`],
    ['51 filters', `result?filters=${FILTERS_51}`],
    ['51 filters of a summary', `summary?filters=${FILTERS_51}`],
    ['51 filters of a comparison', `compare/${ID}?filters=${FILTERS_51}`],
    ['51 filters of scores', `metrics?filters=${FILTERS_51}`],
    ['filters that are no list', 'result?filters=5'],
    ['a filter without a field', `result?filters=${encoded([{ value: 1 }])}`],
    ['an unknown type of a filter', `result?filters=${encoded([{ field: 'a', value: 1, type: 'id' }])}`],
    ['a deep query string', 'result?filters[0][a][b][c][d][e][f]=1'],
    ['a thousand brackets in a filter', `result?filters${'[0]'.repeat(1_000)}=1`],
    ['a thousand brackets in a date range', `metrics?dateRange${'[a]'.repeat(1_000)}=1`],
    ['deep JSON as filters', `result?filters=${'['.repeat(5_000)}`],
    ['deep JSON as the value of a filter', `result?filters=${valueOfDepth(2_000)}`],
    ['a deep Python literal', `result?filters=${encodeURIComponent("{'a':".repeat(1_000))}`],
    [
      'a Python literal with a call as a date range',
      `metrics?dateRange=${encodeURIComponent("{'$gte': exit()}")}`,
    ],
    ['a Python literal with a call', `result?filters=${encodeURIComponent("[{'field': exit()}]")}`],
    [
      'a reversed call in a filter',
      `compare/${ID}/events?filter=${encodeURIComponent('{"a": __import__("os")}')}`,
    ],
    ['a huge limit', `compare/${ID}/events?limit=1e9`],
    ['a negative limit', `compare/${ID}/events?limit=-1`],
    ['a limit that is no number', `compare/${ID}/events?limit=NaN`],
    ['a negative page', `compare/${ID}/events?page=-1`],
    ['an unknown event type', `compare/${ID}/events?event_type=span`],
    ['nonsense as a date range', 'metrics?dateRange=yesterday'],
    ['an unknown key in a date range', `metrics?dateRange=${encoded({ since: 1 })}`],
  ])('refuse %s', async (_title, path) => {
    const { status, body } = await served.call(`/v1/runs/${ID}/${path}`);
    expect([status, body['errorCode'], body['success']]).toEqual([400, 'VALIDATION_ERROR', false]);
  });

  it.each([
    ['max_regression', -1],
    ['max_regression', 'x'],
    ['min_pairs', 1],
    ['metrics', []],
    ['against', 'x'],
  ])('refuse a gate with %s of %j', async (field, value) => {
    const body = JSON.stringify({ against: ID, [field]: value });
    const { status, body: error } = await served.call(`/v1/runs/${ID}/gate`, { method: 'POST', body });
    expect(status).toBe(400);
    expect(error['message']).toEqual(expect.stringContaining(field));
  });

  it('find nothing in a reversed date range', async () => {
    const range = encoded({ $gte: 2, $lte: 1 });
    expect((await served.call(`/v1/runs/${ID}/metrics?dateRange=${range}`)).body).toEqual({
      events: [],
      totalEvents: 0,
    });
  });

  const nothing = { passed: [], failed: [], datapoints: [], event_details: [] };
  it.each<[path: string, body: object | undefined, expected: object]>([
    ['result', undefined, { success: true, ...nothing }],
    ['summary?aggregate_function=p99', undefined, { success: true, ...nothing, metrics: { details: [] } }],
    ['metrics', undefined, { events: [], totalEvents: 0 }],
    ['schema', undefined, { fields: [], datasets: [] }],
    ['compare/OTHER', undefined, { metrics: [], commonDatapoints: [] }],
    ['compare/OTHER/events', undefined, { events: [], totalEvents: 0 }],
    ['compare/OTHER/datapoints', { metric: 'a' }, { rows: [], next_cursor: null }],
    ['gate', { against: ID }, { outcome: 'undecided' }],
  ])('respond on %s for a run without events', async (path, sent, expected) => {
    const request = sent && { method: 'POST', body: JSON.stringify(sent) };
    const { status, body } = await served.call(`/v1/runs/${ID}/${path.replace('OTHER', ID)}`, request);
    expect([status, body]).toMatchObject([200, expected]);
  });

  it('respond for a listed session without a session event', async () => {
    const session_id = randomUUID();
    const run = aRun({ event_ids: [session_id] });
    served.runs.set(run.run_id, run);
    await served.add([{ session_id, metrics: { a: 0.7, ...TEXTS_LIKE_NUMBERS } }]);
    const { body } = await served.call(`/v1/runs/${run.run_id}/result`);
    expect(body).toMatchObject({
      passed: [session_id],
      metrics: { details: [{ metric_name: 'a', values: [0.7] }] },
      datapoints: [{ datapoint_id: session_id, session_id }],
    });
  });

  it('respond for a run with one event, and for runs whose values are all equal or have no datapoint in common', async () => {
    const [one, equal, other] = [aRun(), aRun(), aRun()];
    for (const run of [one, equal, other]) served.runs.set(run.run_id, run);
    const event = (run_id: string, datapoint_id: string) => ({
      session_id: randomUUID(),
      metadata: { run_id, datapoint_id },
      metrics: { a: 0.5 },
    });
    const ids = Array.from({ length: 12 }, (_, index) => `d${index}`);
    await served.add([
      event(one.run_id, 'd0'),
      ...ids.map((id) => event(equal.run_id, id)),
      ...ids.map((id) => event(other.run_id, `other ${id}`)),
    ]);
    const result = await served.call(`/v1/runs/${one.run_id}/result?aggregate_function=p99`);
    expect(result.body).toMatchObject({ metrics: { details: [{ values: [0.5], aggregate: 0.5 }] } });
    const compare = async (id: string) => (await served.call(`/v1/runs/${equal.run_id}/compare/${id}`)).body;
    expect(await compare(equal.run_id)).toMatchObject({
      metrics: [
        { same_count: 12, difference: 0, statistics: { mean_difference: 0, verdict: 'no_difference_shown' } },
      ],
    });
    expect(await compare(one.run_id)).toMatchObject({
      commonDatapoints: ['d0'],
      metrics: [{ found_count: 1, same: ['d0'], statistics: { pairs: 1, verdict: 'too_few' } }],
    });
    expect(await compare(other.run_id)).toMatchObject({
      commonDatapoints: [],
      metrics: [
        {
          found_count: 0,
          old_aggregate: 0.5,
          new_aggregate: 0.5,
          statistics: { pairs: 0, verdict: 'too_few' },
        },
      ],
    });
  });

  it('pair datapoints whose ids are numbers with those whose ids are their texts', async () => {
    const [old, now] = [aRun(), aRun()];
    for (const run of [old, now]) served.runs.set(run.run_id, run);
    const event = (run_id: string, datapoint_id: number | string, a: number) => ({
      session_id: randomUUID(),
      metadata: { run_id, datapoint_id },
      metrics: { a },
    });
    const ids = Array.from({ length: 12 }, (_, index) => index + 1);
    await served.add([
      ...ids.map((id) => event(old.run_id, id, 0.25)),
      ...ids.map((id) => event(now.run_id, id % 2 === 0 ? id : String(id), 0.75)),
    ]);
    const { body } = await served.call(`/v1/runs/${now.run_id}/compare/${old.run_id}`);
    expect(body).toMatchObject({
      commonDatapoints: expect.arrayContaining(ids.map(String)) as string[],
      metrics: [{ found_count: 12, improved_count: 12 }],
    });
  });

  it.each([
    ['a reversed range', { $gte: 2, $lte: 1 }, 200],
    ['a relative range without a unit', '7', 400],
    ['a relative range in parsecs', '7pc', 400],
    ['a negative relative range', '-7d', 400],
    ['an infinite relative range', '1e999d', 400],
    ['a relative range of two units', '7d7d', 400],
    ['a range of text', { $gte: 'NaN' }, 400],
  ])('have one rule for %s on every route', async (_title, range, status) => {
    const query = `dateRange=${typeof range === 'string' ? range : encoded(range)}`;
    const paths = [`/v1/runs/${ID}/metrics`, `/v1/runs/${ID}/schema`, '/v1/runs/schema', '/v1/events/schema'];
    for (const path of [...paths, '/v1/runs', '/v1/events/chart'])
      expect([path, (await served.call(`${path}?${query}`)).status]).toEqual([path, status]);
  });

  describe('with text in conditions', () => {
    let ids: { oldId: string; newId: string };
    beforeAll(async () => {
      ids = await storeTwoRuns(served);
    });

    const sessionsOf = async (filter: object) => {
      const { status, body } = await served.call(`/v1/runs/${ids.newId}/result?filters=${encoded([filter])}`);
      return [status, (body['datapoints'] as { session_id: string }[]).length];
    };
    const pairsOf = async (query: string) =>
      (await served.call(`/v1/runs/${ids.newId}/compare/${ids.oldId}/events?${query}`)).body['totalEvents'];

    it('find events by the conditions that the texts replace', async () => {
      const wanted = { field: 'event_name', operator: 'contains', value: 'we' };
      expect(await sessionsOf(wanted)).toEqual([200, 5]);
      expect(await sessionsOf({ field: 'inputs.question', operator: 'is', value: 'q' })).toEqual([200, 5]);
      expect(await pairsOf('event_name=answer')).toBe(4);
      expect(await pairsOf(`event_name=answer&filter=${encoded({ 'inputs.question': 'q' })}`)).toBe(4);
    });

    it.each([
      "'; DROP TABLE events; --",
      '{p0:String}',
      '\\',
      '`',
      '\0',
      '.*',
      '%',
      '_',
      "') OR 1=1 --",
      '(q+)+$',
    ])('treat %j as data in every text', async (text) => {
      for (const filter of [
        { field: `metadata.${text}`, value: text },
        { field: `inputs.${text}`, operator: 'is', value: 'q' },
        { field: 'inputs.question', operator: 'is', value: text },
        { field: 'event_name', operator: 'is', value: text },
        { field: 'event_name', operator: 'contains', value: text },
      ])
        expect([filter, await sessionsOf(filter)]).toEqual([filter, [200, 0]]);
      const other = { field: 'inputs.question', operator: 'is not', value: text };
      expect(await sessionsOf(other)).toEqual([200, 5]);
      expect(await pairsOf(`event_name=${encodeURIComponent(text)}`)).toBe(0);
      const conditions = [{ [`metadata.${text}`]: text }, { 'inputs.question': text }, { [text]: text }];
      for (const condition of conditions)
        expect([condition, await pairsOf(`filter=${encoded(condition)}`)]).toEqual([condition, 0]);
    });
  });
});
