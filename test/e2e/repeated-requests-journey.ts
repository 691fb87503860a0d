import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

interface Stored {
  readonly event_id: string;
  readonly event_ids: string[];
  readonly session_id: string;
}

/** Requests that come again under an `Idempotency-Key`. Runs the same against every way to run Assay. */
export function repeatedRequestsJourney(startStack: () => Promise<Stack>): void {
  const { stack, client } = onStack(startStack);

  const send = async (path: string, body: unknown, key: string, through = client) =>
    through.post(path, body, { headers: { 'idempotency-key': key } });
  const countIn = async (session: string) =>
    (
      await client.search({
        filters: [{ field: 'session_id', operator: 'is', value: session, type: 'string' }],
      })
    ).count;

  const small = { event_type: 'tool', inputs: {} };
  it.each([
    ['/v1/events', small, 2],
    ['/events', { event: small }, 2],
    ['/v1/events/batch', { events: [small, small, small], single_session: true }, 4],
    ['/events/batch', { events: [small, small], is_single_session: true }, 3],
    ['/v1/sessions', { session_name: 'again' }, 1],
    ['/session/start', { session: { session_name: 'again' } }, 1],
    ['/events/model', { model_event: { model_name: 'm' } }, 2],
    ['/events/model/batch', { model_events: [{ model_name: 'm' }], single_session: true }, 2],
    [`/v1/sessions/${randomUUID()}/events/batch`, { events: [small, small] }, 3],
    [`/session/${randomUUID()}/traces`, { logs: [small, small] }, 3],
  ])(
    'makes the same events on %s when the same request comes again, and refuses another one',
    async (path, body, count) => {
      const key = randomUUID();
      const first = (await send(path, body, key)).json<Stored>();
      const again = (await send(path, body, key)).json<Stored>();
      expect(again).toEqual(first);
      expect(await countIn(first.session_id)).toBe(count);

      const other = await send(
        path,
        { ...body, metadata: {}, event: small, session: {}, events: [small], model_event: { model: 'x' } },
        key,
      );
      expect([400, 409]).toContain(other.status);
      expect(await countIn(first.session_id)).toBe(count);
    },
  );

  it('responds 409 to another body with the same key', async () => {
    const key = randomUUID();
    await send('/v1/events', small, key);
    const other = await send('/v1/events', { ...small, inputs: { other: true } }, key);
    expect(other.json()).toMatchObject({
      statusCode: 409,
      success: false,
      errorCode: 'CONFLICT',
      message: 'Idempotency-Key was already used for another request',
    });
  });

  it('does not consume the key of a rejected request', async () => {
    const key = randomUUID();
    expect((await send('/v1/events', { ...small, start_time: 1e308 * 10 }, key)).status).toBe(400);
    expect((await send('/v1/events', small, key)).status).toBe(200);
  });

  it('scopes keys to a project', async () => {
    const admin = new Client(stack, stack.adminToken);
    const made = await admin.post('/v1/projects', { name: `other-${randomUUID()}` });
    expect(made.status).toBe(200);
    const { api_key } = made.json<{ api_key: string }>();
    const key = randomUUID();
    const mine = (await send('/v1/events', small, key)).json<Stored>();
    const theirs = await send('/v1/events', { ...small, inputs: { n: 1 } }, key, new Client(stack, api_key));
    expect(theirs.status).toBe(200);
    expect(theirs.json<Stored>().event_id).not.toBe(mine.event_id);
  });

  it('returns the same events after a restart and still rejects other bodies', async () => {
    const key = randomUUID();
    const body = { events: [small, small], single_session: true };
    const first = (await send('/v1/events/batch', body, key)).json<Stored>();
    const service = stack.kind === 'split' ? 'ingestion' : 'standalone';
    await stack.kill(service);
    await stack.start(service);
    const again = await waitFor(
      'the service responds',
      async () => {
        const response = await send('/v1/events/batch', body, key);
        return response.status === 200 && response.json<Stored>();
      },
      { withinMs: 120_000 },
    );
    expect(again).toEqual(first);
    expect((await send('/v1/events/batch', { ...body, events: [small] }, key)).status).toBe(409);
    expect(await countIn(first.session_id)).toBe(3);
  }, 90_000);
}
