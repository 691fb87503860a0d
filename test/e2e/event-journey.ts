import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { exportTrace } from '../harness/otlp/export-trace.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

type Found = Record<string, unknown> & {
  metadata: Record<string, unknown>;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
};

/** The journey of one event: accepted, kept, stored, found. Runs the same against every way to run Assay. */
export function eventJourney(startStack: () => Promise<Stack>): ReturnType<typeof onStack> {
  const started = onStack(startStack);
  const { stack, client } = started;

  const byField = async (field: string, value: string) =>
    (await client.search({ filters: [{ field, operator: 'is', value, type: 'string' }] })) as unknown as {
      events: Found[];
      count: number;
    };

  it('stores an event and returns it unchanged by id and by search', async () => {
    const sent = {
      event_type: 'model',
      event_name: 'answer',
      source: 'e2e',
      inputs: { question: 'Grüße 🌍', nested: { list: [1, 2.5, null, true, 'x'] }, __proto__x: 1 },
      outputs: { answer: 'ok' },
      metadata: { marker: randomUUID(), 'a.b': 1, cost: 0.25 },
      start_time: 1_790_000_000_000.25,
      end_time: 1_790_000_000_100,
    };
    const created = (await client.post('/v1/events', sent)).json<{
      success: boolean;
      event_id: string;
      session_id: string;
    }>();
    expect(created).toMatchObject({
      success: true,
      event_id: expect.any(String) as unknown,
      session_id: expect.any(String) as unknown,
    });

    const { events, count } = await byField('metadata.marker', sent.metadata.marker);
    expect(count).toBe(1);
    expect(events[0]).toMatchObject({ ...sent, event_id: created.event_id, session_id: created.session_id });
    const byId = await client.call('GET', `/v1/events/${created.event_id}`);
    expect(byId.json<{ event: unknown }>().event).toEqual(events[0]);
  });

  it('creates a session for events without one', async () => {
    const { session_id } = (await client.post('/v1/events', { event_type: 'tool', inputs: {} })).json<{
      session_id: string;
    }>();
    const { events } = await byField('session_id', session_id);
    expect(events.map((event) => event.event_type).sort()).toEqual(['session', 'tool']);
    expect(events.find((event) => event.event_type === 'session')).toMatchObject({
      event_id: session_id,
      metadata: { num_events: 1 },
    });
  });

  it('stores a batch in one session, in order of its ids', async () => {
    const session_id = randomUUID();
    const body = {
      events: Array.from({ length: 20 }, (_, step) => ({ event_type: 'chain', inputs: { step } })),
      single_session: true,
      session_properties: { session_name: 'batch', session_id },
    };
    const response = (await client.post('/v1/events/batch', body)).json<{
      event_ids: string[];
      session_id: string;
    }>();
    expect(response.event_ids).toHaveLength(20);
    expect(response.session_id).toBe(session_id);
    const { events, count } = await byField('session_id', session_id);
    expect(count).toBe(21);
    expect(new Set(events.map(({ event_id }) => event_id))).toEqual(
      new Set([...response.event_ids, session_id]),
    );
  });

  it('applies updates to stored events and to events that arrive later', async () => {
    const early = randomUUID();
    expect(
      (
        await client.call('PUT', `/v1/events/${early}`, {
          body: { metrics: { score: 0.9 }, metadata: { by: 'update' } },
        })
      ).status,
    ).toBe(200);
    await client.search({ limit: 1 });
    await client.post('/v1/events', {
      event_id: early,
      event_type: 'model',
      inputs: {},
      metadata: { by: 'create', kept: true },
    });
    await client.call('PUT', `/v1/events/${early}`, {
      body: { feedback: { rating: 5 }, outputs: { text: 'new' } },
    });
    const { events } = await byField('event_id', early);
    expect(events[0]).toMatchObject({
      metrics: { score: 0.9 },
      metadata: { by: 'update', kept: true },
      feedback: { rating: 5 },
      outputs: { text: 'new' },
    });
  });

  it('keeps a deleted event deleted when it is sent again', async () => {
    const event = { event_id: randomUUID(), event_type: 'tool', inputs: { n: 1 } };
    await client.post('/v1/events', event);
    expect((await client.call('DELETE', `/v1/events/${event.event_id}`)).json()).toMatchObject({
      success: true,
      deleted: event.event_id,
    });
    await client.post('/v1/events', event);
    expect((await byField('event_id', event.event_id)).count).toBe(0);
    expect((await client.call('GET', `/v1/events/${event.event_id}`)).status).toBe(404);
  });

  it('refuses to delete with an ingestion key, and deletes with the permission to', async () => {
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const keyFrom = async (kind: string, body: object): Promise<string> => {
      const created = await client.post(`/v1/projects/${project?.id}/${kind}_api_keys`, body);
      return created.json<{ data: { key_value: string } }>().data.key_value;
    };
    const ingestion = await keyFrom('ingestion', { name: 'browser' });
    const deleter = await keyFrom('fine_grained', { permissions: ['events:delete'] });
    const event = { event_id: randomUUID(), session_id: randomUUID(), event_type: 'tool', inputs: { n: 1 } };
    expect((await client.post('/v1/events', event, { key: ingestion })).status).toBe(200);
    const update = { body: { feedback: { rating: 1 } }, key: ingestion };
    expect((await client.call('PUT', `/v1/events/${event.event_id}`, update)).status).toBe(200);
    const paths = [
      `/v1/sessions/${event.session_id}`,
      `/sessions/${event.session_id}`,
      `/v1/events/${event.event_id}`,
      `/events/${event.event_id}`,
    ];
    for (const path of paths)
      expect((await client.call('DELETE', path, { key: ingestion })).json()).toMatchObject({
        statusCode: 403,
        message: 'this key may only send events and sessions',
      });
    expect((await byField('event_id', event.event_id)).events[0]).toMatchObject(update.body);
    expect((await client.post('/v1/events', event, { key: deleter })).status).toBe(403);
    for (const path of [paths[2]!, paths[0]!])
      expect((await client.call('DELETE', path, { key: deleter })).status).toBe(200);
    expect((await byField('session_id', event.session_id)).count).toBe(0);
  });

  it('stores an event once when it is sent several times', async () => {
    const event = {
      event_id: randomUUID(),
      session_id: randomUUID(),
      event_type: 'tool',
      inputs: { n: 1 },
      start_time: 1_790_000_000_000,
    };
    for (let time = 0; time < 3; time++) await client.post('/v1/events', event);
    expect(await byField('event_id', event.event_id)).toMatchObject({ count: 1 });
    expect(
      (await byField('session_id', event.session_id)).events.find((e) => e.event_type === 'session'),
    ).toMatchObject({
      metadata: { num_events: 1 },
    });
  });

  it.each(['protobuf', 'json'] as const)(
    'stores a trace from the stock OpenTelemetry exporter (%s) and finds it without a read that waits',
    async (encoding) => {
      const marker = randomUUID();
      const traceId = await exportTrace({ baseUrl: stack.baseUrl, apiKey: stack.apiKey, encoding, marker });
      const events = await waitFor('the trace is found', async () => {
        const body = { filters: [{ field: 'metadata.trace_id', operator: 'is', value: traceId }] };
        const found = (await client.post('/v1/events/search', body)).json<{ events: Found[] }>();
        return found.events.length === 2 && found.events;
      });
      const model = events.find((event) => event.event_type === 'model');
      const root = events.find((event) => event.event_name === 'answer question');
      expect(model).toMatchObject({
        event_name: 'chat gpt-4o',
        inputs: { chat_history: [{ role: 'user', content: `Hello ${marker}` }] },
        outputs: { role: 'assistant', content: 'Hi' },
        config: { model: 'gpt-4o', provider: 'openai' },
        metadata: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
        parent_id: root?.event_id,
        session_id: root?.session_id,
      });
      expect(root).toMatchObject({ error: 'it broke', parent_id: root?.session_id });
    },
  );
  return started;
}
