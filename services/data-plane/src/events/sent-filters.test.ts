import type { Operation } from '@assay/http';
import type { exportEvents, searchEvents } from '@assay/contracts';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeExportEvents } from './export-events.js';
import { makeSearchEvents } from './search-events.js';

describe('filters of a search and of an export', () => {
  let stored: StoredEvents;
  beforeAll(async () => {
    stored = await startStoredEvents();
    await stored.add([{ event_name: 'a' }, { event_name: 'b' }, { event_name: 'b', metadata: { n: 2 } }]);
  });
  afterAll(() => stored.stop());

  const call = async (
    operation: Operation<typeof searchEvents> | Operation<typeof exportEvents>,
    filters: unknown,
  ): Promise<number> => {
    const request = { params: {}, query: {}, body: { filters } };
    const response = await operation(request as never, CONTEXT);
    const { content } = ('value' in response ? response.value : response) as { content: { count: number } };
    return content.count;
  };
  const operations = () => [makeSearchEvents(stored.deps()), makeExportEvents(stored.deps())];
  const named = { field: 'event_name', operator: 'is', value: 'b', type: 'string' };

  it.each<[string, unknown, number]>([
    ['a list', [named], 2],
    ['the text of a list', JSON.stringify([named]), 2],
    ['the text of several', JSON.stringify([named, { field: 'metadata.n', operator: '>=', value: 2 }]), 1],
    ['the text of an empty list', ' [] ', 3],
    ['empty text', '', 3],
    [
      'spellings',
      [
        { field: 'metadata.n', operator: 'is null' },
        { ...named, operator: '=' },
      ],
      1,
    ],
  ])('may be %s', async (_, filters, count) => {
    for (const operation of operations()) expect(await call(operation, filters)).toBe(count);
  });

  it.each([
    ['[', 'filters must be a list, or its JSON text'],
    ['"[]"', 'filters must be a list, or its JSON text'],
    ['{"secret":1}', 'filters must be a list, or its JSON text'],
    ['[5]', 'filters[0] must be an object'],
    ['[{"value":1}]', 'filters[0].field is required'],
    ['[{"field":"a","operator":"like","value":1}]', 'filters[0].operator must be one of'],
  ])('are rejected if they are the text %s', async (text, message) => {
    for (const operation of operations())
      await expect((async () => call(operation, text))()).rejects.toThrow(message);
  });
});
