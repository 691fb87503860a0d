import { acceptFilters, type Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { FieldValuesQuery } from '../../src/aggregates-port.js';
import { NEW_YEAR, newProject, sampleEvent, writeEvents } from '../event-fixture.js';

/** Values of fields, for suggestions. */
export function fieldValuesContract(store: () => EventStore): void {
  const crowd = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`crowd${i}`, i]));
  let project_id: string;
  const fields: Partial<Event>[] = [
    { event_name: 'answer', metadata: { env: 'prod', n: 1, flag: true }, config: { model: 'm1' } },
    { event_name: 'answer', metadata: { env: 'Prod', n: 2.5, flag: false }, config: { model: 'm1' } },
    { event_name: 'ask', metadata: { ...crowd, env: 'prod', n: 1 }, config: { model: 'm2' }, error: 'no' },
    { event_name: 'ask', metadata: { env: 'x'.repeat(300), n: '7', 'a.b': 'dots' }, duration: null },
    {
      event_name: 'ask',
      metadata: { env: { inner: 1 }, n: [1] },
      start_time: NEW_YEAR + 1,
      event_type: 'tool',
    },
  ];
  beforeAll(async () => {
    project_id = newProject();
    await writeEvents(
      store(),
      fields.map((one) => sampleEvent({ project_id, ...one })),
    );
  });
  const read = (query: Partial<FieldValuesQuery>, projectId = project_id) =>
    store().aggregates.fieldValues(projectId, { field: 'event_name', filters: [], limit: 20, ...query });
  const listed = async (query: Partial<FieldValuesQuery>) =>
    (await read(query)).values.map(({ value, count }) => [value, count]);

  it.each<[string, [string | number, number][]]>([
    [
      'event_name',
      [
        ['ask', 3],
        ['answer', 2],
      ],
    ],
    [
      'event_type',
      [
        ['model', 4],
        ['tool', 1],
      ],
    ],
    ['error', [['no', 1]]],
    ['duration', [[250, 5]]],
    [
      'metadata.env',
      [
        ['prod', 2],
        ['Prod', 1],
      ],
    ],
    ['metadata.env.inner', [[1, 1]]],
    [
      'metadata.n',
      [
        [1, 2],
        [2.5, 1],
        ['7', 1],
      ],
    ],
    [
      'metadata.flag',
      [
        ['false', 1],
        ['true', 1],
      ],
    ],
    ['metadata.a.b', [['dots', 1]]],
    ['metadata.none', []],
    ['nothing', []],
  ])('of %s are counted', async (field, expected) => {
    const found = await listed({ field });
    expect(found.map(([value, count]) => [String(value), count])).toEqual(
      expected.map(([value, count]) => [String(value), count]),
    );
    expect((await read({ field })).isPartial).toBe(false);
  });

  it('are numbers where numbers are stored', async () => {
    const types = (await read({ field: 'metadata.n', filters: [] })).values.map(({ value }) => typeof value);
    expect(types).toContain('number');
    expect(types).toContain('string');
  });

  it('in payloads are those of the index, and partial when an event is not indexed', async () => {
    expect(await read({ field: 'config.model' })).toMatchObject({
      values: [
        { value: 'm', count: 2 },
        { value: 'm1', count: 2 },
      ],
      isPartial: true,
    });
  });

  it('follow a prefix, filters, dates and a limit', async () => {
    expect(await listed({ prefix: 'AN' })).toEqual([['answer', 2]]);
    expect(await listed({ prefix: `' OR 1=1 --` })).toEqual([]);
    expect(await listed({ limit: 1 })).toEqual([['ask', 3]]);
    const filters = acceptFilters([{ field: 'event_type', operator: 'is', value: 'tool' }], 'strict');
    expect(await listed({ filters })).toEqual([['ask', 1]]);
    expect(await listed({ from: NEW_YEAR + 1 })).toEqual([['ask', 1]]);
    expect(await listed({ to: NEW_YEAR - 1 })).toEqual([]);
  });

  it('of another project are not among them', async () => {
    expect(await read({}, newProject())).toEqual({ values: [], isPartial: false });
  });
}
