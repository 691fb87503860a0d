import { randomUUID } from 'node:crypto';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';

interface Stored {
  readonly success: boolean;
  readonly event_id: string;
  readonly event_ids: string[];
  readonly session_id: string;
}
type Found = Record<string, unknown> & { readonly event_id: string; readonly event_type: string };

/** The calls that clients of several years make, one after the other. Runs the same against every way to run Assay. */
export function olderClientsJourney(startStack: () => Promise<Stack>): ReturnType<typeof onStack> {
  const started = onStack(startStack);
  const { stack, client } = started;

  const fresh = { headers: { prefer: 'wait=30' } };
  const exported = async (query: object) => {
    const response = await client.post('/v1/events/export', query, fresh);
    expect(response.status).toBe(200);
    return response.json<{ events: Found[]; count: number; totalEvents: number }>();
  };
  const inSession = (value: string) =>
    exported({ filters: [{ field: 'session_id', operator: 'is', value, type: 'string' }] });
  const byId = async (value: string) =>
    (await exported({ filters: [{ field: 'event_id', value }] })).events[0];

  it('returns the fields that the first Python client requires', async () => {
    const [project] = (await client.call('GET', '/projects')).json<{ description: string }[]>();
    expect(project).toMatchObject({ description: '' });
    const { result } = (await client.post('/datapoints', {})).json<{ result: Record<string, unknown> }>();
    expect(result).toEqual({ insertedIds: [result.insertedId], insertedId: expect.any(String) as string });
  });

  it('lists metrics and configurations as arrays to the client of the 0.2 line', async () => {
    const criteria = 'def m(event):\n    return 1';
    const metric = { name: `m ${randomUUID()}`, type: 'PYTHON', criteria, return_type: 'float' };
    const { metric_id } = (await client.post('/v1/metrics', metric)).json<{ metric_id: string }>();
    const metrics = (await client.call('GET', '/metrics?project_name=bot')).json<Record<string, unknown>[]>();
    expect(metrics.find(({ _id }) => _id === metric_id)).toMatchObject({
      ...{ id: metric_id, name: metric.name, task: expect.any(String) as string, type: 'custom' },
      ...{ description: '', return_type: 'float', code_snippet: criteria, criteria },
    });
    const named = (await client.call('GET', '/v1/metrics')).json<{
      metrics: { id: string; type: string }[];
    }>();
    expect(named.metrics.find(({ id }) => id === metric_id)).toMatchObject({ type: 'PYTHON' });

    const configuration = {
      ...{ project: 'bot', name: `c ${randomUUID()}`, provider: 'openai' },
      parameters: { call_type: 'chat', model: 'gpt-4o', hyperparameters: { temperature: 0 } },
    };
    expect((await client.post('/configurations', configuration)).status).toBe(200);
    const path = `/configurations?project=bot&name=${encodeURIComponent(configuration.name)}`;
    const { project: _project, ...sent } = configuration;
    expect((await client.call('GET', path)).json()).toMatchObject([
      { ...sent, _id: expect.any(String) as string, project: expect.any(String) as string },
    ]);
  });

  it('finds sessions and events by id directly after they were sent', async () => {
    for (let round = 0; round < 5; round++) {
      const { session_id } = (
        await client.post('/session/start', { session: { session_name: 'bot' } })
      ).json<Stored>();
      const paths = [
        `/session/${session_id}`,
        `/v1/sessions/${session_id}`,
        `/v1/sessions/${session_id}/tree`,
      ];
      const { event_id } = (
        await client.post('/events', { event: { event_type: 'tool', inputs: {}, session_id } })
      ).json<Stored>();
      for (const path of [`/v1/events/${event_id}`, paths[round % 3]!]) {
        const found = await client.call('GET', path);
        expect([path, found.status, found.headers.get('assay-freshness')]).toEqual([path, 200, null]);
      }
    }
    expect((await client.call('GET', `/session/${randomUUID()}`)).status).toBe(404);
  });

  it('keeps the session_name of sessions that are sent as events', async () => {
    const session = () => ({
      event_type: 'session',
      event_name: 'start',
      session_name: `s ${randomUUID()}`,
      inputs: {},
    });
    const [one, two, three, four] = [session(), session(), session(), session()];
    for (const [path, body] of [
      ['/events', { event: one }],
      ['/events/batch', { events: [two] }],
      ['/v1/events', three],
      ['/v1/events/batch', { events: [four] }],
    ] as const)
      expect((await client.post(path, body)).status).toBe(200);
    for (const { session_name } of [one, two, three, four]) {
      const filters = [{ field: 'session_name', operator: 'is', value: session_name, type: 'string' }];
      const { events } = await exported({ filters });
      expect(events).toMatchObject([{ event_type: 'session', event_name: 'start', session_name }]);
    }
  });

  it('serves a Python tracer: start a session, create an event, enrich the session, find it all', async () => {
    const started = (
      await client.post('/session/start', { session: { session_name: 'bot', source: 'dev' } })
    ).json();
    const session_id = String(started.session_id);
    expect(started).toMatchObject({
      event_id: session_id,
      event_type: 'session',
      session_name: 'bot',
      source: 'dev',
      parent_id: null,
    });
    for (const id of ['org_id', 'workspace_id', 'project_id'])
      expect(started[id]).toEqual(expect.any(String));

    const event = {
      project: '',
      source: 'dev',
      event_name: 'step',
      event_type: 'tool',
      session_id,
      config: {},
      inputs: { a: 1 },
      outputs: { b: 2 },
      duration: 5,
    };
    const created = (await client.post('/events', { event })).json<Stored>();
    expect(created).toEqual({ success: true, event_id: expect.any(String) as string, session_id });

    const enrichment = {
      event_id: session_id,
      metadata: { user: 'u' },
      feedback: { rating: 4 },
      metrics: { ok: true },
      outputs: { c: 3 },
      nope: 1,
    };
    const enriched = await client.call('PUT', '/events', { body: enrichment });
    expect([enriched.status, enriched.json()]).toEqual([
      200,
      { success: true, event_id: session_id, ignored: ['nope'] },
    ]);

    const session = await client.call('GET', `/session/${session_id}`, fresh);
    expect([session.status, session.json()]).toMatchObject([
      200,
      { event_id: session_id, event_type: 'session', children: [{ event_name: 'step' }] },
    ]);
    expect((await client.call('GET', '/session/start')).status).toBe(405);

    const { events, count, totalEvents } = await inSession(session_id);
    expect([count, totalEvents, events.length]).toEqual([2, 2, 2]);
    expect(events.find(({ event_type }) => event_type === 'tool')).toMatchObject({
      event_name: 'step',
      inputs: { a: 1 },
      outputs: { b: 2 },
      duration: 5,
    });
    expect(events.find(({ event_type }) => event_type === 'session')).toMatchObject({
      event_name: 'bot',
      metadata: { user: 'u', num_events: 1 },
      feedback: { rating: 4 },
      metrics: { ok: true },
      outputs: { c: 3 },
    });
  });

  it('serves a Python batch with all fields of the client model', async () => {
    const session_id = randomUUID();
    const event = { project: 'p', event_type: 'chain', inputs: {}, event_name: null, unknown: 1 };
    const body = {
      events: [event, { ...event, session_id: randomUUID() }],
      is_single_session: true,
      session: { session_id, session_name: 'b' },
      x: 1,
    };
    const stored = (await client.post('/events/batch', body)).json<Stored>();
    expect(stored).toMatchObject({
      success: true,
      session_id,
      event_ids: [expect.any(String), expect.any(String)],
    });
    const { events, count } = await inSession(session_id);
    expect(count).toBe(3);
    expect(events.find(({ event_type }) => event_type === 'session')).toMatchObject({ event_name: 'b' });
  });

  it('serves a TypeScript script: session, events, update, search', async () => {
    const metadata = { run_id: randomUUID(), datapoint_id: 'EXT-1' };
    const { session_id } = (
      await client.post('/v1/sessions', { session_name: 'script', metadata, metrics: { score: 1 } })
    ).json<Stored>();
    const { event_id } = (
      await client.post('/v1/events', { event_type: 'model', inputs: {}, session_id, metadata })
    ).json<Stored>();
    expect(
      (
        await client.call('PUT', `/v1/events/${event_id}`, {
          body: { outputs: { text: 'x' }, metrics: { score: 0 } },
        })
      ).status,
    ).toBe(200);
    const found = await client.search({ evaluation_id: metadata.run_id, limit: 10 });
    expect(found).toMatchObject({
      count: 2,
      events: [
        { event_id, outputs: { text: 'x' }, metrics: { score: 0 } },
        { event_id: session_id, metrics: { score: 1 } },
      ],
    });
  });

  it('accepts sessions and events that are wrapped twice', async () => {
    const session_id = randomUUID();
    const started = await client.post('/session/start', {
      session: JSON.stringify({ event_id: session_id, session_name: 'text', extra: 1 }),
    });
    expect(started.json()).toMatchObject({ session_id, session_name: 'text' });
    const created = await client.post('/events', {
      event: JSON.stringify({ event_type: 'tool', inputs: {}, session_id }),
    });
    expect(created.json()).toMatchObject({ success: true, session_id });
  });

  it.each([
    ['/session/start', (session: object) => ({ session })],
    ['/v1/sessions', (session: object) => session],
  ])('starts a session on %s whose times are no numbers: it begins now', async (path, wrapped) => {
    const before = Date.now();
    const started = (
      await client.post(path, wrapped({ start_time: '2020-01-01T00:00:00Z', end_time: 'soon' }))
    ).json<{
      start_time: number;
    }>();
    expect(started.start_time).toBeGreaterThanOrEqual(before);
    expect(started).not.toHaveProperty('end_time');
  });

  it.each([
    ['/session/start', {}, 'session is required'],
    ['/session/start', { session: [] }, 'session must be an object or a string'],
    ['/session/start', { session: '{broken' }, 'session must be an object or its JSON'],
    ['/session/start', { session: '{"session_id":"x"}' }, 'session_id must be a valid UUID'],
    ['/session/start', { session: { session_id: 'x' } }, 'session.session_id must be a valid UUID'],
    ['/events', { event: { event_type: 'other', inputs: {} } }, 'event.event_type must be one of'],
    ['/events', { event: { event_type: 'tool' } }, 'event.inputs is required'],
    ['/events', { event: '{"event_type":"tool","inputs":1}' }, 'inputs must be an object'],
    [
      '/events/batch',
      { events: [{ event_type: 'tool', inputs: {} }, { event_type: 'tool' }] },
      'events[1].inputs is required',
    ],
    ['/events/model', { model_event: {} }, 'model_event.model_name or model_event.event_name is required'],
    ['/events/model/batch', { model_events: [{ model: 'm' }, {}] }, 'model_events[1].model_name'],
    [`/session/${randomUUID()}/traces`, {}, 'logs or events is required'],
    [`/session/${randomUUID()}/traces`, { logs: [], events: [] }, 'logs and events must not both be given'],
    [`/session/x/traces`, { logs: [] }, 'session_id must be a valid UUID'],
    [`/session/${randomUUID()}/traces`, { logs: [] }, 'logs must hold at least one event'],
    ['/v1/events/export', { limit: -1 }, 'limit must be at least 1'],
    ['/v1/events/export', { limit: 'abc' }, 'limit must be an integer'],
    ['/v1/events/export', { filters: [{ field: 'x', type: 'id' }] }, 'filters[0].type'],
  ])('responds 400 on %s to %j', async (path, body, message) => {
    const response = await client.post(path, body);
    expect(response.json()).toMatchObject({
      statusCode: 400,
      success: false,
      errorCode: 'VALIDATION_ERROR',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each(['logs', 'events'])('accepts the traces of a session as %s', async (name) => {
    const session_id = randomUUID();
    const stored = await client.post(`/session/${session_id}/traces`, {
      [name]: [{ event_type: 'tool', inputs: {}, project: 'p', session_id: randomUUID() }],
    });
    expect(stored.json()).toMatchObject({ success: true, session_id, event_ids: [expect.any(String)] });
    expect((await inSession(session_id)).count).toBe(2);
  });

  it('stores model calls with every field in its bucket', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const call = {
      project: 'p',
      model_name: 'gpt-4o',
      model_version: '1',
      messages,
      response: { text: 'Hi' },
      provider: 'openai',
      usage,
      cost: 0.5,
      error: 'slow',
      duration: 7,
    };
    const one = (await client.post('/events/model', { model_event: call })).json<Stored>();
    expect(await byId(one.event_id)).toMatchObject({
      event_type: 'model',
      event_name: 'gpt-4o',
      error: 'slow',
      duration: 7,
      inputs: { messages, chat_history: messages, provider: 'openai', usage, cost: 0.5 },
      outputs: { response: { text: 'Hi' } },
      config: { model: 'gpt-4o' },
      metadata: { model_name: 'gpt-4o', model_version: '1' },
    });
    const batch = { model_events: [call, { model: 'other' }], single_session: true };
    const stored = (await client.post('/events/model/batch', batch)).json<Stored>();
    expect(stored.event_ids).toHaveLength(2);
    const { events } = await inSession(stored.session_id);
    expect(events.find(({ event_type }) => event_type === 'session')).toMatchObject({
      metadata: { num_model_events: 2, cost: 0.5, total_tokens: 5 },
    });
  });

  describe('export', () => {
    const marker = randomUUID();
    const mine = {
      filters: [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string', extra: true }],
    };
    beforeAll(async () => {
      const events = Array.from({ length: 30 }, (_, n) => ({
        event_type: 'tool',
        inputs: { n, text: 'x' },
        metadata: { marker, 'a.b': n },
        start_time: 1_790_000_000_000 + n,
      }));
      await client.post('/v1/events/batch', { events, single_session: true });
    });

    it('returns pages, newest first, and caps the limit', async () => {
      const page = await exported({ ...mine, limit: 10, page: 3, unknown: 1, project: 'p' });
      expect([
        page.count,
        page.totalEvents,
        page.events.map(({ inputs }) => (inputs as { n: number }).n),
      ]).toEqual([30, 30, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]]);
      expect((await exported({ ...mine, limit: 1e9 })).events).toHaveLength(30);
      expect((await exported({ ...mine, limit: 10, page: 9 })).events).toEqual([]);
      expect(
        (await exported({ ...mine, ignore_order: true, limit: null, dateRange: null, evaluation_id: null }))
          .events,
      ).toHaveLength(30);
    });

    it('returns the projected fields and always the id', async () => {
      const { events } = await exported({
        ...mine,
        limit: 1,
        projections: ['event_type', 'inputs.n', 'metadata.a.b'],
      });
      expect(events).toEqual([
        {
          event_id: expect.any(String) as string,
          event_type: 'tool',
          inputs: { n: 29 },
          metadata: { 'a.b': 29 },
        },
      ]);
    });

    it('filters by every form of a date range', async () => {
      const range = { $gte: new Date(1_790_000_000_005).toISOString(), $lte: 1_790_000_000_009 };
      for (const dateRange of [range, JSON.stringify(range)])
        expect((await exported({ ...mine, dateRange })).count).toBe(5);
    });

    it.each(['/events', '/v1/events'])(
      'accepts query strings on GET %s in the dialects of the clients',
      async (path) => {
        const [filter] = mine.filters;
        const dialects = [
          `filters=${encodeURIComponent(JSON.stringify([filter]))}&limit=3&page=2&projections=inputs`,
          `filters[0][field]=metadata.marker&filters[0][operator]=is&filters[0][value]=${marker}&limit=3&page=2&projections[]=inputs`,
          `filters[]=${encodeURIComponent(`{'field': 'metadata.marker', 'value': '${marker}'}`)}&limit=3&page=2&projections[]=inputs&evaluation_id=None&ignore_order=false`,
        ];
        for (const query of dialects.slice(0, 2)) {
          const response = await client.call('GET', `${path}?${query}`, fresh);
          expect(response.json()).toMatchObject({
            count: 30,
            totalEvents: 30,
            events: [{ inputs: { n: 26 } }, { inputs: { n: 25 } }, { inputs: { n: 24 } }],
          });
        }
        expect((await client.call('GET', `${path}?${dialects[2]}`, fresh)).json()).toMatchObject({
          count: 30,
        });
      },
    );
  });

  const id = randomUUID();
  const deprecatedCalls: [method: string, path: string, body: object, successor: string][] = [
    ['POST', '/session/start', {}, '/v1/sessions'],
    ['POST', `/session/${id}/traces`, {}, `/v1/sessions/${id}/events/batch`],
    ['POST', '/events', {}, '/v1/events'],
    ['PUT', '/events', { event_id: id }, `/v1/events/${id}`],
    ['PUT', '/v1/metrics', { id }, `/v1/metrics/${id}`],
    ['DELETE', `/v1/datasets?dataset_id=${id}`, {}, `/v1/datasets/${id}`],
    ['POST', '/events/batch', {}, '/v1/events/batch'],
    ['POST', '/events/model', {}, '/v1/events'],
    ['POST', '/events/model/batch', {}, '/v1/events'],
    ['POST', '/v1/events/export', {}, '/v1/events/search'],
    ['POST', '/events/export', {}, '/v1/events/search'],
  ];
  it.each(deprecatedCalls)('links the successor of %s %s', async (method, path, body, successor) => {
    const response = await client.call(method, path, { body });
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(response.headers.get('link')).toBe(`<${successor}>; rel="successor-version"`);
  });

  it('links a URI template when the request has no id', async () => {
    const { headers } = await client.call('PUT', '/events', { body: {} });
    expect(headers.get('link-template')).toBe('"/v1/events/{event_id}"; rel="successor-version"');
    expect(headers.get('link')).toBeNull();
  });

  it('counts calls of deprecated routes in a metric', async () => {
    const service = stack.services.find((name) => name === 'data-plane') ?? 'standalone';
    const metrics = await readMetrics(stack.adminUrl(service));
    expect(metrics).toMatch(
      /assay_http_deprecated_requests_total\{operation="startWrappedSession",successor="startSession"\} [1-9]/,
    );
  });
  return started;
}
