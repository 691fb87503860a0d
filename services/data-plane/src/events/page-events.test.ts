import { randomUUID } from 'node:crypto';
import { compile, pageEventsRequest, type PageEventsRequest, type pageEvents } from '@assay/contracts';
import type { ResponseOf } from '@assay/contracts';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makePageEvents } from './page-events.js';

const NOW = 1_790_000_000_000;
const checkRequest = compile(pageEventsRequest);

describe('a page of events', () => {
  let stored: StoredEvents;
  const session = randomUUID();
  beforeAll(async () => {
    stored = await startStoredEvents();
    const start = (index: number) => ({ start_time: NOW - 1_000 + index, session_id: session });
    await stored.add([
      { ...start(0), event_type: 'session', event_id: session, event_name: 'chat', inputs: {} },
      { ...start(1), event_name: 'a', config: { model: 'm1' }, metadata: { total_tokens: 3, cost: 2 } },
      { ...start(2), event_name: 'b', error: 'failed', metadata: { cost: 1 } },
    ]);
  });
  afterAll(() => stored.stop());

  const page = async (body: PageEventsRequest, now = NOW, caller = CONTEXT.caller) => {
    const operation = makePageEvents({ ...stored.deps(), now: () => now });
    const request = { params: {}, query: {}, body: checkRequest(body) };
    return (await operation(request, { ...CONTEXT, caller })) as ResponseOf<typeof pageEvents>;
  };
  const namesOf = async (body: PageEventsRequest) =>
    (await page(body)).events.map((event) => event.event_name);

  it('contains events without payloads, with roll-ups of sessions and previews', async () => {
    const { events, count, next_cursor, elapsed_ms } = await page({});
    expect(events.map((event) => event.event_name)).toEqual(['b', 'a', 'chat']);
    expect([count, next_cursor]).toEqual([{ value: 3, exact: true }, null]);
    expect(elapsed_ms).toBeGreaterThanOrEqual(0);
    expect(events[1]).toMatchObject({ inputs_preview: '{"question":"q"}', project: 'bot' });
    for (const name of ['inputs', 'outputs', 'config', 'children_ids', 'origin'])
      expect(events[1]).not.toHaveProperty(name);
    expect(events[2]?.metadata).toMatchObject({ num_events: 2, total_tokens: 3 });
    // The session itself was given nothing.
    expect(events[2]).toMatchObject({
      inputs_preview: '{"question":"q"}',
      preview_event_id: events[1]?.event_id,
    });
    expect(events[1]).not.toHaveProperty('preview_event_id');
  });

  it('is sorted by what sessions derive from their events', async () => {
    const sortedBy = (field: string, limit: number) => namesOf({ sort: { field, order: 'desc' }, limit });
    expect(await sortedBy('metadata.num_events', 1)).toEqual(['chat']);
    expect(await sortedBy('metadata.cost', 2)).toEqual(['chat', 'a']);
  });

  it('contains only the requested columns', async () => {
    const columns = ['event_name', 'metadata.cost', 'config.model', 'inputs.none', 'inputs'];
    const { events } = await page({ columns, preview_chars: 2, limit: 2 });
    const { event_id, ...row } = events[1]!;
    expect(event_id).toBeDefined();
    expect(row).toEqual({
      event_name: 'a',
      metadata: { cost: 2 },
      inputs_preview: '{"',
      outputs_preview: '{}',
      column_previews: { 'config.model': 'm1', 'inputs.none': null },
      payload_bytes: 32,
    });
  });

  it('has no previews when none are asked for', async () => {
    const { events } = await page({ preview_chars: 0, columns: ['config.model'] });
    expect(Object.keys(events[0]!)).toEqual(['event_id', 'payload_bytes']);
  });

  it('continues at its cursor, in the order of the first page', async () => {
    const sort = { field: 'metadata.cost', order: 'asc' } as const;
    const first = await page({ sort, limit: 2 });
    expect(first.events.map((event) => event.event_name)).toEqual(['b', 'a']);
    const cursor = first.next_cursor!;
    expect(await namesOf({ sort, limit: 2, cursor })).toEqual(['chat']);
    await expect((async () => page({ cursor }))()).rejects.toThrow('with the same order');
  });

  it('tells what came later by its newest_cursor', async () => {
    const { newest_cursor } = await page({ limit: 1 });
    const after = newest_cursor!;
    const none = await page({ after });
    expect([none.events, none.newest_cursor]).toEqual([[], after]);
    await stored.add([{ event_name: 'new', start_time: NOW }]);
    expect(await namesOf({ after })).toEqual(['new']);
    const further = await page({ after: (await page({ after })).newest_cursor! });
    expect(further.events).toEqual([]);
  });

  it('contains nothing of another project', async () => {
    const other = { ...CONTEXT.caller, projectId: 'p2' };
    expect(await page({}, NOW, other)).toMatchObject({ events: [], count: { value: 0, exact: true } });
  });

  it.each<[PageEventsRequest, string]>([
    [{ limit: 501 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ preview_chars: 501 }, 'preview_chars'],
    [{ preview_chars: -1 }, 'preview_chars'],
    [{ columns: Array.from({ length: 51 }, () => 'a') }, 'columns'],
    [{ count: 'all' as never }, 'count'],
    [{ cursor: 'x' }, 'cursor must come from'],
    [{ after: 'x' }, 'after must come from'],
    [{ after: 'x', sort: { field: 'duration' } }, 'after needs the order by start_time'],
    [{ sort: { field: 'inputs.a' } }, 'sort.field must be'],
    [{ sort: { order: 'up' as never } }, 'sort.order'],
    [{ filters: [{ field: 'a', operator: 'like' }] }, 'filters[0].operator'],
    [{ filters: 'x' }, 'filters must be a list'],
    [{ dateRange: 'soon' }, 'dateRange'],
    [{ unknown: 1 } as never, 'unknown'],
  ])('is rejected for %j', async (body, message) => {
    await expect((async () => page(body))()).rejects.toThrow(message);
  });

  it('is not read for a client that has disconnected', async () => {
    const operation = makePageEvents(stored.deps());
    const request = { params: {}, query: {}, body: {} } as never;
    const signal = AbortSignal.abort();
    await expect(operation(request, { ...CONTEXT, signal })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
