import { randomUUID } from 'node:crypto';
import type { onStack } from '../harness/stack/on-stack.js';

type Found = Record<string, unknown>;

/** Updates as public clients send them: by path, by body, before and after their event, of events and of sessions. */
export function updateJourney({ client }: ReturnType<typeof onStack>): void {
  const byPath = (id: string, body: object) => client.call('PUT', `/v1/events/${id}`, { body });
  const byBody = (id: string, body: object) =>
    client.call('PUT', '/events', { body: { event_id: id, ...body } });
  const byId = async (value: string): Promise<Found | undefined> => {
    const filters = [{ field: 'event_id', operator: 'is', value, type: 'string' }];
    return ((await client.search({ filters })) as unknown as { events: Found[] }).events[0];
  };
  const later = {
    inputs: { chat_history: [{ role: 'user', content: 'Hello' }] },
    error: 'it broke',
    event_name: 'renamed',
    event_type: 'tool',
    source: 'daemon',
    start_time: 1_790_000_000_100,
  };
  const first = {
    event_type: 'model',
    event_name: 'first',
    inputs: { q: 1 },
    start_time: 1_790_000_000_000,
    end_time: 1_790_000_000_400,
  };

  describe.each([
    ['PUT /v1/events/{event_id}', byPath],
    ['PUT /events', byBody],
  ])('an update by %s', (_, update) => {
    it('applies to a stored event', async () => {
      const event_id = randomUUID();
      await client.post('/v1/events', { event_id, ...first });
      await byId(event_id);
      expect((await update(event_id, later)).json()).toEqual({ success: true, event_id });
      expect(await byId(event_id)).toMatchObject({ ...later, end_time: first.end_time, duration: 300 });
    });

    it.each([
      ['hour', 5 * 3_600_000],
      ['year', 400 * 24 * 3_600_000],
    ])('moves the start of a stored event to another %s, with all that it has', async (_unit, difference) => {
      const event_id = randomUUID();
      await client.post('/v1/events', { event_id, ...first });
      await byId(event_id);
      const start_time = first.start_time - difference;
      await update(event_id, { start_time });
      expect(await byId(event_id)).toMatchObject({ ...first, start_time });
      await update(event_id, { metadata: { a: 1 } });
      await update(event_id, { start_time: first.start_time, event_name: 'back' });
      expect(await byId(event_id)).toMatchObject({ ...first, event_name: 'back', metadata: { a: 1 } });
    });

    it('applies to an event that arrives later, also when it is sent twice', async () => {
      const event_id = randomUUID();
      expect((await update(event_id, later)).json()).toEqual({ success: true, event_id });
      for (let time = 0; time < 2; time++) await client.post('/v1/events', { event_id, ...first });
      expect(await byId(event_id)).toMatchObject(later);
    });

    it('outranks earlier updates, field by field', async () => {
      const event_id = randomUUID();
      await update(event_id, { inputs: { n: 1 }, error: 'one', source: 'one' });
      await client.post('/v1/events', { event_id, ...first });
      await update(event_id, { inputs: { n: 2 }, event_name: 'two' });
      await update(event_id, { source: 'three', error: null, inputs: null });
      const merged = {
        inputs: { n: 2 },
        error: 'one',
        source: 'three',
        event_name: 'two',
        event_type: 'model',
      };
      expect(await byId(event_id)).toMatchObject(merged);
    });

    it('sets the history and the names of a session, and leaves its type', async () => {
      const started = (await client.post('/session/start', { session: { session_name: 'bot' } })).json<{
        session_id: string;
      }>();
      const { inputs, event_name, source } = later;
      const sent = { inputs, event_name, source, event_type: 'session', session_id: started.session_id };
      const response = await update(started.session_id, { ...sent, project: 'p', metadata: { turn: 2 } });
      const ignored = ['event_type', 'session_id', 'project'];
      expect(response.json()).toEqual({ success: true, event_id: started.session_id, ignored });
      await update(started.session_id, { event_type: 'tool' });
      const stored = { inputs, event_name, source, event_type: 'session', session_name: 'renamed' };
      expect(await byId(started.session_id)).toMatchObject({ ...stored, metadata: { turn: 2 } });
    });

    it('is refused with a wrong value, and names the field', async () => {
      for (const [body, message] of [
        [{ inputs: 'Hello' }, 'inputs must be an object'],
        [{ event_type: 'other' }, 'event_type must be one of "session", "model", "tool", "chain"'],
        [{ start_time: -5 }, 'start_time must be a time in Unix milliseconds'],
      ] as const) {
        const response = await update(randomUUID(), body);
        expect([response.status, response.json()]).toMatchObject([
          400,
          { message: expect.stringContaining(message) as string },
        ]);
      }
    });
  });
}
