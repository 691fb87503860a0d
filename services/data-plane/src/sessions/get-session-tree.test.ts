import { randomUUID } from 'node:crypto';
import { compile, getSessionTree, type ResponseOf } from '@assay/contracts';
import type { Event } from '@assay/domain';
import type { HandlerResponse } from '@assay/http';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeGetSessionTree } from './get-session-tree.js';

type Tree = ResponseOf<typeof getSessionTree>;
const NOW = 1_790_000_000_000;
const checkQuery = compile(getSessionTree.query!);
const checkResponse = compile(getSessionTree.response);

describe('the tree of a session', () => {
  let stored: StoredEvents;
  const session = randomUUID();
  const [parent, child, orphan, missing] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const of = (fields: Partial<Event>): Partial<Event> => ({
    session_id: session,
    start_time: NOW,
    ...fields,
  });
  beforeAll(async () => {
    stored = await startStoredEvents();
    await stored.add([
      of({ event_id: session, event_type: 'session', event_name: 'chat', inputs: {} }),
      of({ event_id: child, parent_id: parent, event_name: 'call', start_time: NOW + 2.5, error: 'no' }),
      of({
        event_id: parent,
        parent_id: session,
        event_type: 'chain',
        event_name: 'plan',
        metadata: { span_kind: 'AGENT' },
        inputs: { question: 'why?' },
      }),
      of({
        event_id: orphan,
        parent_id: missing,
        event_name: 'call',
        start_time: NOW + 7,
        metadata: { total_tokens: 5, cost: 0.5 },
        config: { model: 'm1' },
        metrics: { good: true },
      }),
    ]);
  });
  afterAll(() => stored.stop());

  async function read(query: object = {}, context: Partial<typeof CONTEXT> = {}, id = session) {
    const request = { params: { session_id: id }, query: checkQuery(query), body: undefined };
    const operation = makeGetSessionTree(stored.deps());
    return (await operation(request, { ...CONTEXT, ...context })) as HandlerResponse<Tree>;
  }

  it('contains the events in columns', async () => {
    const { body } = await read();
    expect(checkResponse(body)).toEqual({
      session: expect.objectContaining({
        event_id: session,
        session_name: 'chat',
        inputs_preview: '{"question":"why?"}',
        outputs_preview: '{}',
        preview_event_id: parent,
        metadata: expect.objectContaining({ num_events: 3, num_errors: 1, cost: 0.5 }) as object,
      }) as object,
      total: 3,
      start_time: NOW,
      names: ['plan', 'call'],
      types: ['chain', 'model'],
      kinds: ['AGENT'],
      models: ['m1'],
      events: {
        ids: Buffer.from([parent, child, orphan].join('').replaceAll('-', ''), 'hex').toString('base64'),
        name: [0, 1, 1],
        type: [0, 1, 1],
        kind: [0, -1, -1],
        model: [-1, -1, 0],
        parent: [-1, 0, -1],
        start: [0, 2.5, 7],
        duration: [null, null, null],
        tokens: [null, null, 5],
        cost: [null, null, 0.5],
        errors: { '1': 'no' },
        scores: { '2': { good: true } },
        outside_parents: { '2': missing },
      },
      next_cursor: null,
    });
    expect(body.session).not.toHaveProperty('inputs');
    const without = (await read({ preview_chars: 0 })).body.session;
    expect(without).not.toHaveProperty('preview_event_id');
  });

  it('is read in pages, which name parents on other pages', async () => {
    const first = (await read({ limit: 1 })).body;
    const second = (await read({ limit: 5, cursor: first.next_cursor })).body;
    expect([first.events.parent, first.total]).toEqual([[-1], 3]);
    expect(second).toMatchObject({ session: null, total: null, start_time: NOW + 2.5, next_cursor: null });
    expect(second.events).toMatchObject({ start: [0, 4.5], outside_parents: { '0': parent, '1': missing } });
  });

  it('is 304 for a client that has it, until an event changes', async () => {
    const { ETag: tag = '' } = (await read()).headers;
    const again = await read({}, { headers: { 'if-none-match': tag } });
    expect([again.status, again.body, again.headers['ETag']]).toEqual([304, undefined, tag]);
    await stored.add([of({ event_id: orphan, parent_id: missing, start_time: NOW + 7 }), of({})]);
    expect((await read({}, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('is unknown for an id without events, and in another project', async () => {
    await expect(read({}, {}, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(read({}, {}, child)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const caller = { ...CONTEXT.caller, projectId: 'p2' };
    await expect(read({}, { caller })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 20_001 }, 'limit'],
    [{ cursor: 'x' }, 'cursor must come from'],
  ])('is rejected for %j', async (query, message) => {
    await expect((async () => read(query))()).rejects.toThrow(message);
  });

  it('is not read for a client that has disconnected', async () => {
    await expect(read({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
