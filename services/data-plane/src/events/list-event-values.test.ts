import { compile, listEventValues } from '@assay/contracts';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeListEventValues } from './list-event-values.js';

const checkQuery = compile(listEventValues.query!, 'query');

describe('the values of a field', () => {
  let stored: StoredEvents;
  beforeAll(async () => {
    stored = await startStoredEvents();
    await stored.add([
      { event_name: 'a', metadata: { env: 'prod', n: 1, flag: true, mixed: 1 } },
      { event_name: 'b', metadata: { env: 'prod', n: 2, flag: true, mixed: 'x' } },
      { event_name: 'b', metadata: { env: 'test', n: 2, flag: false } },
    ]);
  });
  afterAll(() => stored.stop());

  const read = (query: object, context: Partial<typeof CONTEXT> = {}) => {
    const request = { params: {}, query: checkQuery(query), body: undefined };
    return makeListEventValues(stored.deps())(request, { ...CONTEXT, ...context });
  };

  it.each([
    ['metadata.env', 'string', ['prod', 'test']],
    ['metadata.n', 'number', [2, 1]],
    ['metadata.flag', 'boolean', [true, false]],
    ['metadata.mixed', 'string', [1, 'x']],
    ['metadata.none', 'string', []],
    ['event_name', 'string', ['b', 'a']],
  ])('%s have the type of a filter', async (field, type, values) => {
    const response = await read({ field });
    expect(response).toMatchObject({ field, type, approximate: false });
    const { values: found } = response as { values: { value: unknown }[] };
    expect(found.map(({ value }) => value)).toEqual(values);
  });

  it('follow a prefix, filters and a limit', async () => {
    const filters = [{ field: 'event_name', operator: 'is', value: 'b' }];
    expect(await read({ field: 'metadata.env', prefix: 'P', filters, limit: 1 })).toMatchObject({
      values: [{ value: 'prod', count: 1 }],
    });
  });

  it('of another project are not listed', async () => {
    const caller = { ...CONTEXT.caller, projectId: 'p2' };
    expect(await read({ field: 'event_name' }, { caller })).toMatchObject({ values: [] });
  });

  it.each([
    [{}, 'field is required'],
    [{ field: 'nothing' }, 'field must be'],
    [{ field: 'metadata' }, 'field must be'],
    [{ field: 'origin' }, 'field must be'],
    [{ field: 'event_name', limit: 101 }, 'limit'],
    [{ field: 'event_name', prefix: 'x'.repeat(257) }, 'prefix'],
    [{ field: 'event_name', filters: [{ field: 'a', operator: 'like', value: 1 }] }, 'filters[0].operator'],
    [{ field: 'event_name', dateRange: 'soon' }, 'dateRange'],
  ])('are rejected for %j', async (query, message) => {
    await expect((async () => read(query))()).rejects.toThrow(message);
  });

  it('are not read for a client that has disconnected', async () => {
    const signal = AbortSignal.abort();
    await expect(read({ field: 'event_name' }, { signal })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
