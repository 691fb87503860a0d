import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

interface Node {
  readonly event_id: string;
  readonly event_name: string;
  readonly parent_id: string | null;
  readonly children_ids: string[];
  readonly metadata: Record<string, unknown>;
  readonly children: Node[];
}

/** What happens to whole sessions: their trees, their batches, their end. Runs the same against every way to run Assay. */
export function sessionJourney(startStack: () => Promise<Stack>): void {
  const { client } = onStack(startStack);

  const now = { prefer: 'wait=30' };
  const tree = async (id: string) =>
    (await client.call('GET', `/v1/sessions/${id}`, { headers: now })).json<Node>();
  const names = (node: Node): string =>
    [node.event_name, ...(node.children.length > 0 ? [`(${node.children.map(names).join(' ')})`] : [])].join(
      '',
    );
  const inSession = async (id: string) =>
    (await client.search({ filters: [{ field: 'session_id', operator: 'is', value: id, type: 'string' }] }))
      .count;

  it('returns a session as a tree with the totals of its events', async () => {
    const session_id = randomUUID();
    const [parent, child] = [randomUUID(), randomUUID()];
    const model = { prompt_tokens: 3, completion_tokens: 2, cost: 0.5 };
    await client.post('/v1/sessions', { session_id, session_name: 'chat' });
    const events = [
      {
        event_id: child,
        parent_id: parent,
        event_type: 'model',
        event_name: 'call',
        inputs: {},
        metadata: model,
        start_time: 1_790_000_002_000,
      },
      {
        parent_id: parent,
        event_type: 'tool',
        event_name: 'look',
        inputs: {},
        start_time: 1_790_000_001_000,
      },
      {
        event_id: parent,
        event_type: 'chain',
        event_name: 'answer',
        inputs: {},
        start_time: 1_790_000_000_000,
        feedback: { rating: 1 },
      },
      {
        parent_id: randomUUID(),
        event_type: 'tool',
        event_name: 'orphan',
        inputs: {},
        start_time: 1_790_000_003_000,
      },
    ];
    const stored = await client.post(`/v1/sessions/${session_id}/events/batch`, { events });
    expect(stored.json()).toMatchObject({
      success: true,
      session_id,
      event_ids: [child, expect.any(String), parent, expect.any(String)],
    });

    const session = await tree(session_id);
    expect(names(session)).toBe('chat(answer(look call) orphan)');
    expect(session.metadata).toMatchObject({
      num_events: 4,
      num_model_events: 1,
      has_feedback: true,
      cost: 0.5,
      total_tokens: 5,
    });
    const [response] = session.children;
    expect(session.children_ids).toEqual([parent]);
    expect(response).toMatchObject({
      event_id: parent,
      parent_id: session_id,
      children_ids: response?.children.map(({ event_id }) => event_id),
    });
  });

  it('counts what the project uses by day, also after updates and deletes', async () => {
    const start = Date.parse('2026-03-05T12:00:00Z');
    const range = encodeURIComponent(JSON.stringify({ $gte: '2026-03-05', $lte: '2026-03-06' }));
    const usage = async () => {
      const response = await client.call('GET', `/v1/usage?dateRange=${range}`, { headers: now });
      return response.json<{ days: object[]; total: object }>();
    };
    const session_id = randomUUID();
    const event = (fields: object) => ({
      session_id,
      inputs: {},
      event_name: 'step',
      start_time: start,
      ...fields,
    });
    const [updated, deleted] = [randomUUID(), randomUUID()];
    await client.post('/v1/sessions', { session_id, session_name: 'chat', start_time: start });
    const metadata = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.5 };
    await client.post('/v1/events/batch', {
      events: [
        event({ event_type: 'model', event_id: updated, metadata }),
        event({ event_type: 'tool', event_id: deleted, error: 'no', metadata }),
        event({ event_type: 'tool', start_time: start + 86_400_000 }),
      ],
    });
    const counts = {
      num_sessions: 0,
      num_errors: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      cost: 0,
      unpriced_models: [],
    };
    const later = { ...counts, day: '2026-03-06', num_events: 1, num_model_events: 0 };
    const first = { ...counts, ...metadata, day: '2026-03-05', num_sessions: 1, num_model_events: 1 };
    expect((await usage()).days).toEqual([{ ...first, num_events: 2, num_errors: 1 }, later]);
    await client.call('PUT', `/v1/events/${updated}`, { body: { metadata: { cost: 2 } } });
    await client.call('DELETE', `/v1/events/${deleted}`);
    const { days, total } = await usage();
    expect(days).toEqual([{ ...first, num_events: 1, cost: 2 }, later]);
    expect(total).toMatchObject({ num_events: 2, num_sessions: 1, total_tokens: 5, cost: 2 });
  });

  it('has no cost of a session and of a day with a call whose cost is unknown, and names its model', async () => {
    const [session_id, day] = [randomUUID(), '2026-03-08'];
    const start = Date.parse(day);
    const call = (model: string, metadata: object) => ({
      ...{ session_id, event_type: 'model', event_name: 'call', inputs: {}, start_time: start },
      ...{ config: { model }, metadata: { prompt_tokens: 3, ...metadata } },
    });
    await client.post('/v1/sessions', { session_id, session_name: 'chat', start_time: start });
    await client.post('/v1/events/batch', {
      events: [
        call('priced', { cost: 0.5 }),
        call('openrouter/vendor/new-model-2026-01-31', {}),
        call('eu.vendor/new-model', {}),
        call('free', { cost: 0 }),
      ],
    });
    const unknown = { cost: null, unpriced_models: ['new-model'] };
    expect((await tree(session_id)).metadata).toMatchObject({ prompt_tokens: 12, ...unknown });
    const filters = [{ field: 'event_id', operator: 'is', value: session_id, type: 'string' }];
    const { events } = await client.search({ filters });
    expect(events[0]).toMatchObject({ metadata: unknown });
    const dear = { field: 'metadata.cost', operator: 'greater than', value: -1, type: 'number' };
    expect((await client.search({ filters: [...filters, dear] })).count).toBe(0);
    const range = encodeURIComponent(JSON.stringify({ $gte: day, $lte: day }));
    const usage = await client.call('GET', `/v1/usage?dateRange=${range}`, { headers: now });
    expect(usage.json()).toMatchObject({ days: [{ day, prompt_tokens: 12, ...unknown }], total: unknown });
  });

  it('returns events with circular parents, and an event below a parent that arrives later', async () => {
    const session_id = randomUUID();
    const [one, two, late] = [randomUUID(), randomUUID(), randomUUID()];
    const event = (event_id: string, parent_id: string, event_name: string) => ({
      event_id,
      parent_id,
      event_name,
      event_type: 'tool',
      inputs: {},
    });
    const path = `/v1/sessions/${session_id}/events/batch`;
    const circle = [event(one, two, 'one'), event(two, one, 'two')].map((each, index) => ({
      ...each,
      start_time: 1_790_000_000_000 + index,
    }));
    await client.post(path, {
      events: [...circle, { ...event(randomUUID(), late, 'child'), start_time: 1_790_000_000_005 }],
    });
    expect(names(await tree(session_id))).toBe('unknown(one(two) child)');
    await client.post(path, {
      events: [{ ...event(late, session_id, 'late'), start_time: 1_790_000_000_004 }],
    });
    expect(names(await tree(session_id))).toBe('unknown(one(two) late(child))');
  });

  it('returns the same children on every route, including late ones and without deleted ones', async () => {
    const session_id = randomUUID();
    const [parent, early, late, promised] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const event = (event_id: string, parent_id: string, start_time: number) => ({
      event_id,
      parent_id,
      start_time,
      event_type: 'tool',
      inputs: {},
    });
    const append = (...events: object[]) =>
      client.post(`/v1/sessions/${session_id}/events/batch`, { events });
    const childrenOf = async () => {
      const filters = [{ field: 'event_id', operator: 'is', value: parent, type: 'string' }];
      const read = (path: string) => client.call('GET', path, { headers: now });
      const exported = await client.call('POST', '/v1/events/export', {
        headers: now,
        body: { filters, projections: ['children_ids'] },
      });
      return [
        (await client.search({ filters })).events[0]?.children_ids,
        exported.json<{ events: Node[] }>().events[0]?.children_ids,
        (await read(`/v1/events/${parent}`)).json<{ event: Node }>().event.children_ids,
        (await tree(session_id)).children.find(({ event_id }) => event_id === parent)?.children_ids,
      ];
    };
    await append(event(late, parent, 1_790_000_000_002), {
      ...event(parent, session_id, 1_790_000_000_000),
      children_ids: [promised],
    });
    expect(await childrenOf()).toEqual(Array(4).fill([late, promised]));
    await append(event(early, parent, 1_790_000_000_001), event(promised, late, 1_790_000_000_003));
    expect(await childrenOf()).toEqual(Array(4).fill([early, late]));
    await client.call('DELETE', `/v1/events/${early}`);
    expect(await childrenOf()).toEqual(Array(4).fill([late]));
  });

  it('stores events in the session of the path, not of the body', async () => {
    const session_id = randomUUID();
    const events = [{ session_id: randomUUID(), event_type: 'tool', inputs: {} }];
    expect((await client.post(`/v1/sessions/${session_id}/events/batch`, { events })).json()).toMatchObject({
      session_id,
    });
    expect(await inSession(session_id)).toBe(2);
  });

  it.each([
    [
      'an unknown name',
      { events: [{ event_type: 'tool', inputs: {} }], single_session: true },
      'single_session',
    ],
    [
      'a project on an event',
      { events: [{ event_type: 'tool', inputs: {}, project: 'x' }] },
      'events[0].project',
    ],
    ['an event without inputs', { events: [{ event_type: 'tool' }] }, 'events[0].inputs'],
    ['no event', { events: [] }, 'events'],
  ])('refuses a batch of a session with %s, and stores nothing', async (_, body, field) => {
    const session_id = randomUUID();
    const response = await client.post(`/v1/sessions/${session_id}/events/batch`, body);
    expect([response.status, response.json().message]).toEqual([400, expect.stringContaining(field)]);
    expect(await inSession(session_id)).toBe(0);
  });

  it('deletes a session with its events and hides events that arrive later', async () => {
    const [session_id, other] = [randomUUID(), randomUUID()];
    const event = { session_id, event_type: 'tool', inputs: {} };
    for (const id of [session_id, other]) {
      await client.post('/v1/events/batch', {
        single_session: true,
        session_properties: { session_id: id },
        events: Array(5).fill({ event_type: 'tool', inputs: {} }),
      });
    }
    expect(await inSession(session_id)).toBe(6);
    expect((await client.call('DELETE', `/v1/sessions/${session_id}`)).json()).toEqual({
      success: true,
      deleted: session_id,
    });
    expect(await inSession(session_id)).toBe(0);

    await client.post('/v1/events', event);
    await client.post('/v1/sessions', { session_id });
    await client.call('PUT', `/v1/events/${session_id}`, { body: { metadata: { late: true } } });
    expect(await inSession(session_id)).toBe(0);
    expect((await client.call('GET', `/v1/sessions/${session_id}`, { headers: now })).status).toBe(404);
    expect(await inSession(other)).toBe(6);
  });

  it('responds 404 to a missing session and to the id of an event, 400 to an invalid id', async () => {
    const event = (await client.post('/v1/events', { event_type: 'tool', inputs: {} })).json<{
      event_id: string;
    }>();
    const statuses = await Promise.all(
      [randomUUID(), event.event_id, 'x'].map((id) =>
        client.call('GET', `/v1/sessions/${id}`, { headers: now }),
      ),
    );
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 400]);
    expect(statuses[2]?.json().message).toContain('xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx');
    expect((await client.call('DELETE', '/v1/sessions/x')).status).toBe(400);
  });

  it('lists sessions with summaries of their events, by run, source and time, in pages', async () => {
    interface Listed {
      readonly sessions: { readonly session_id: string; readonly num_events: number }[];
      readonly next_cursor: string | null;
      readonly redacted: boolean;
    }
    const list = async (query: string) =>
      (await client.call('GET', `/v1/sessions?${query}`, { headers: now })).json<Listed>();
    const source = `source-${randomUUID()}`;
    const run_id = randomUUID();
    const [first, second] = [randomUUID(), randomUUID()];
    const start = { source, start_time: 1_790_000_000_000 };
    await client.post('/v1/sessions', { ...start, session_id: first, session_name: 'one' });
    await client.post('/v1/sessions', { ...start, session_id: second, start_time: 1_790_000_001_000 });
    const steps = [
      { event_type: 'model', event_name: 'ask', inputs: {}, metadata: { run_id }, metrics: { score: 1 } },
      { event_type: 'tool', event_name: 'look', inputs: {}, start_time: 1_790_000_000_100, error: 'no' },
    ];
    await client.post(`/v1/sessions/${first}/events/batch`, {
      events: steps.map((step) => ({ start_time: 1_790_000_000_050, ...step })),
    });
    expect((await list(`run_id=${run_id}`)).sessions).toMatchObject([
      {
        session_id: first,
        session_name: 'one',
        source,
        start_time: 1_790_000_000_000,
        num_events: 2,
        num_model_events: 1,
        num_tool_events: 1,
        num_errors: 1,
        event_names: [
          { event_type: 'model', event_name: 'ask', count: 1 },
          { event_type: 'tool', event_name: 'look', count: 1 },
        ],
        metrics: [{ name: 'score', count: 1, sum: 1, min: 1, max: 1 }],
        run_ids: [run_id],
        days: [{ day: '2026-09-21', num_events: 2, num_model_events: 1 }],
      },
    ]);
    const page = await list(`source=${source}&limit=1`);
    expect([page.sessions.map(({ session_id }) => session_id), page.redacted]).toEqual([[second], false]);
    const rest = await list(`source=${source}&limit=1&cursor=${page.next_cursor}`);
    expect([rest.sessions.map(({ session_id }) => session_id), rest.next_cursor]).toEqual([[first], null]);
    const latest = new Date(1_790_000_000_500).toISOString();
    expect((await list(`source=${source}&to=${latest}`)).sessions).toHaveLength(1);
    await client.call('DELETE', `/v1/sessions/${first}`);
    expect((await list(`source=${source}`)).sessions).toMatchObject([{ session_id: second, num_events: 0 }]);
  });

  const small = { event_type: 'tool', inputs: {} };
  it.each([
    ['/v1/sessions', { session_name: 'packed' }],
    ['/session/start', { session: { session_name: 'packed' } }],
    [`/v1/sessions/${randomUUID()}/events/batch`, { events: [small] }],
    [`/session/${randomUUID()}/traces`, { logs: [small] }],
    ['/v1/events', small],
    ['/events', { event: small }],
    ['/v1/events/batch', { events: [small] }],
    ['/events/batch', { events: [small] }],
    ['/events/model', { model_event: { model_name: 'm' } }],
    ['/events/model/batch', { model_events: [{ model_name: 'm' }] }],
  ])('takes a compressed body on %s', async (path, body) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const type = { 'content-type': 'application/json' };
    const gzip = await client.call('POST', path, {
      bytes: gzipSync(bytes),
      headers: { ...type, 'content-encoding': 'gzip' },
    });
    const deflate = await client.call('POST', path, {
      bytes: deflateSync(bytes),
      headers: { ...type, 'content-encoding': 'deflate' },
    });
    expect([gzip.status, deflate.status]).toEqual([200, 200]);
  });
}
