import { randomUUID } from 'node:crypto';
import { acceptFilters, type ChartAggregation, type Event, type FilterInput } from '@assay/domain';
import type { ChartQuery, EventStore } from '../../src/event-store.js';
import { batchOf, NEW_YEAR, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const HOUR = 3_600_000;
const STARTS = [NEW_YEAR, NEW_YEAR + HOUR, NEW_YEAR + 2 * HOUR];

/** Aggregates of events over time. */
export function chartContract(store: () => EventStore): void {
  async function written(fields: readonly Partial<Event>[]): Promise<string> {
    const project_id = newProject();
    const events = fields.map((one) => sampleEvent({ project_id, session_id: randomUUID(), ...one }));
    await writeEvents(store(), events);
    return project_id;
  }
  async function read(projectId: string, query: Partial<ChartQuery> = {}) {
    const { points, total } = await store().aggregates.chart(projectId, {
      filters: [],
      from: NEW_YEAR,
      to: NEW_YEAR + 3 * HOUR - 1,
      starts: STARTS,
      value: { field: 'duration', aggregation: { kind: 'average' } },
      maxGroups: 10,
      ...query,
    });
    const rows = points.map(({ start, group, isRest, value, count }) => [
      (start - NEW_YEAR) / HOUR,
      isRest ? 'rest' : group,
      value,
      count,
    ]);
    return { total, rows: rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
  }
  const once = <T>(create: () => Promise<T>) => {
    let created: Promise<T> | undefined;
    return () => (created ??= create());
  };
  const at = (hours: number, fields: Partial<Event> = {}): Partial<Event> => ({
    start_time: NEW_YEAR + hours * HOUR,
    end_time: null,
    ...fields,
  });

  const timed = once(() => {
    return written([
      ...[1, 2, 3, 6].map((duration, index) => at(index / 4, { duration })),
      at(0.5, { duration: null }),
      at(2.999, { duration: 10 }),
      at(3, { duration: 1_000 }),
      at(-0.001, { duration: 1_000 }),
    ]);
  });
  it('has the average of equal decimals', async () => {
    const decimals = [0.7, 0.7, 0.7, ...Array<number>(500).fill(0.1)];
    const project_id = await written(
      decimals.map((score, index) => at(index < 3 ? 0 : 1, { metrics: { score } })),
    );
    const value = { field: 'metrics.score', aggregation: { kind: 'average' } } as const;
    expect((await read(project_id, { value })).rows).toEqual([
      [0, '', 0.7, 3],
      [1, '', 0.1, 500],
    ]);
  });

  // Durations 1, 2, 3, 6 in the first hour and 10 in the third; one event without. The quantile 0.9 of the four is
  // at position 2.7: 3 + 0.7 · 3 = 5.1.
  it.each<[ChartAggregation, number, number]>([
    [{ kind: 'count' }, 4, 1],
    [{ kind: 'distinct' }, 4, 1],
    [{ kind: 'sum' }, 12, 10],
    [{ kind: 'average' }, 3, 10],
    [{ kind: 'min' }, 1, 10],
    [{ kind: 'max' }, 6, 10],
    [{ kind: 'quantile', level: 0.5 }, 2.5, 10],
    [{ kind: 'quantile', level: 0.9 }, 5.1, 10],
  ])('aggregate the values of each bucket by %j', async (aggregation, first, third) => {
    const project = await timed();
    const { rows, total } = await read(project, { value: { field: 'duration', aggregation } });
    expect(total).toBe(6);
    expect(rows.map(([hour, , , count]) => [hour, count])).toEqual([
      [0, 5],
      [2, 1],
    ]);
    expect(rows[0]?.[2]).toBeCloseTo(first);
    expect(rows[1]?.[2]).toBeCloseTo(third);
  });

  const crowd = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`crowd${index}`, index]));
  describe.each([
    ['with a complete index', {}],
    ['with an incomplete index', crowd],
  ])('%s', (_title, more) => {
    const scored = once(() => {
      const question = 'why? '.repeat(100);
      const events: Partial<Event>[] = [
        {
          metrics: { score: 1, passed: true },
          inputs: { n: 5, question },
          event_name: 'a',
          metadata: { text: '0.25' },
        },
        {
          metrics: { score: 0.5, passed: false },
          inputs: { question },
          metadata: { text: 'x', usage: { tokens: 7 } },
        },
        { metrics: { score: 'high' }, inputs: {} },
      ];
      return written(
        events.map((event) => at(0, { user_properties: more, config: {}, outputs: {}, ...event })),
      );
    });
    const named = once(() => {
      const events: Partial<Event>[] = [
        { event_name: 'search', metadata: { env: 'prod', tier: 1 }, config: { model: 'm1' } },
        { event_name: 'search', metadata: { env: 'prod' }, config: { model: 'm1' } },
        {
          event_name: 'search',
          metadata: { env: 'dev', tier: true },
          config: { model: 'm1' },
          error: 'Timeout',
        },
        { event_name: 'answer', config: {} },
      ];
      return written(events.map((event) => at(0, { user_properties: more, ...event })));
    });
    it.each<[field: string, kind: 'sum' | 'count' | 'distinct', expected: number]>([
      ['metrics.score', 'sum', 1.5],
      ['metrics.passed', 'sum', 1],
      ['metrics.passed', 'count', 2],
      ['metadata.text', 'sum', 0.25],
      ['metadata.text', 'count', 2],
      ['metadata.usage.tokens', 'sum', 7],
      ['inputs.n', 'sum', 5],
      ['inputs.question', 'count', 2],
      ['inputs.question', 'distinct', 1],
      ['inputs', 'count', 3],
      ['event_name', 'distinct', 2],
      ['metadata.none', 'sum', 0],
    ])('find the values of %s, by %s', async (field, kind, expected) => {
      const project = await scored();
      const { rows } = await read(project, { value: { field, aggregation: { kind } } });
      expect(rows).toEqual([[0, '', expected, 3]]);
    });

    it.each<[groupBy: string, expected: [string, number][]]>([
      [
        'event_name',
        [
          ['answer', 1],
          ['search', 3],
        ],
      ],
      [
        'error',
        [
          ['', 3],
          ['Timeout', 1],
        ],
      ],
      [
        'metadata.env',
        [
          ['', 1],
          ['dev', 1],
          ['prod', 2],
        ],
      ],
      [
        'metadata.tier',
        [
          ['', 2],
          ['1', 1],
          ['true', 1],
        ],
      ],
      [
        'config.model',
        [
          ['', 1],
          ['m1', 3],
        ],
      ],
    ])('group by %s', async (groupBy, expected) => {
      const project = await named();
      const value = { field: 'event_id', aggregation: { kind: 'count' } } as const;
      const { rows } = await read(project, { groupBy, value });
      expect(rows).toEqual(expected.map(([group, count]) => [0, group, count, count]));
    });
  });

  it.each([
    ['TRUE', 'false', 1],
    ['tRuE', 'falsE', 1],
    ['true ', 'FALSE', 0],
  ])('read the texts %j and %j as booleans, beside numbers', async (one, other, sum) => {
    const project = await written(
      [one, other, 4].map((passed, index) => at(index / 4, { metrics: { passed } })),
    );
    const value = { field: 'metrics.passed', aggregation: { kind: 'sum' } } as const;
    expect((await read(project, { value })).rows).toEqual([[0, '', 4 + sum, 3]]);
  });

  it('have the largest groups, and the rest as one', async () => {
    const names = ['a', 'b', 'b', 'c', 'c', 'c', 'd'];
    const project = await written(names.map((event_name, index) => at(0, { event_name, duration: index })));
    const { rows, total } = await read(project, { groupBy: 'event_name', maxGroups: 2 });
    expect(total).toBe(7);
    expect(rows).toEqual([
      [0, 'b', 1.5, 2],
      [0, 'c', 4, 3],
      [0, 'rest', 3, 2],
    ]);
  });

  it('group by texts that look like lists and objects, and by items of lists', async () => {
    const kinds = ['[urgent] refund', '{{name}}', 'plain', ['list'], { an: 'object' }];
    const project = await written(
      kinds.map((kind, index) => at(index / 10, { metadata: { kind, tags: ['x', kind] }, inputs: { kind } })),
    );
    const value = { field: 'event_id', aggregation: { kind: 'count' } } as const;
    const groups = [
      [0, '', 2, 2],
      [0, '[urgent] refund', 1, 1],
      [0, 'plain', 1, 1],
      [0, '{{name}}', 1, 1],
    ];
    for (const groupBy of ['metadata.kind', 'inputs.kind', 'metadata.tags[1]', 'metadata.tags[-1]'])
      expect({ groupBy, ...(await read(project, { groupBy, value })) }).toMatchObject({
        groupBy,
        rows: groups,
      });
  });

  it('have no sum of costs of which one is unknown, and name the models', async () => {
    const model = (hours: number, name: string, metadata: Event['metadata']) =>
      at(hours, { event_type: 'model', config: { model: name }, metadata });
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, index]));
    const session_id = randomUUID();
    const project = await written([
      model(0, 'a', { cost: 1 }),
      model(0.1, 'openrouter/B', { total_tokens: 5 }),
      model(0.2, 'c', { prompt_tokens: 5, ...many }),
      model(0.3, 'd', {}),
      model(1, 'a', { cost: 2, total_tokens: 5 }),
      at(1.1, { event_type: 'tool', metadata: { total_tokens: 7 } }),
      { ...at(2, { event_type: 'session' }), session_id, event_id: session_id },
      { ...model(2.1, 'b', { total_tokens: 5 }), session_id },
    ]);
    const sum = { field: 'metadata.cost', aggregation: { kind: 'sum' } } as const;
    const costs = async (value: ChartQuery['value'], sent: FilterInput[] = []) => {
      const range = { from: NEW_YEAR, to: NEW_YEAR + 3 * HOUR - 1, starts: STARTS, maxGroups: 10 };
      const filters = acceptFilters(sent, 'lenient');
      const { points } = await store().aggregates.chart(project, { ...range, value, filters });
      return [...points]
        .sort((one, other) => one.start - other.start)
        .map(({ value: amount, unpricedModels }) => [amount, unpricedModels]);
    };
    const unknown = [
      [null, ['b', 'unknown']],
      [2, undefined],
      [null, ['b']],
    ];
    expect(await costs(sum)).toEqual(unknown);
    expect(await costs({ ...sum, aggregation: { kind: 'average' } })).toEqual(unknown);
    expect(await costs(sum, [{ field: 'event_type', value: 'session' }])).toEqual([[null, ['b']]]);
    expect(await costs(sum, [{ field: 'metadata.cost', operator: 'exists', value: null }])).toEqual(
      expect.arrayContaining([
        [1, undefined],
        [2, undefined],
      ]),
    );
    expect((await costs({ ...sum, aggregation: { kind: 'count' } })).at(0)).toEqual([1, undefined]);
  });

  it('have values within lists', async () => {
    const project = await written([
      at(0, { outputs: { items: [{ n: 3 }, { n: 5 }] } }),
      at(0.1, { outputs: {} }),
    ]);
    const value = { field: 'outputs.items[1].n', aggregation: { kind: 'sum' } } as const;
    expect((await read(project, { value })).rows).toEqual([[0, '', 5, 2]]);
  });

  it.each<[string, FilterInput[], number]>([
    ['a column', [{ field: 'event_type', value: 'tool' }], 1],
    ['an indexed value', [{ field: 'metadata.env', value: 'prod' }], 2],
    ['text of the payload', [{ field: 'inputs.question', operator: 'contains', value: 'WHY' }], 2],
    ['usage of sessions', [{ field: 'metadata.cost', operator: 'greater than', value: 100 }], 0],
  ])('are of the events that match a filter on %s', async (_title, filters, total) => {
    const project = await written([
      at(0, { metadata: { env: 'prod' } }),
      at(1, { metadata: { env: 'prod' }, event_type: 'tool' }),
      at(2, { inputs: {} }),
    ]);
    for (const groupBy of [undefined, 'config.model'])
      expect((await read(project, { filters: acceptFilters(filters, 'lenient'), groupBy })).total).toBe(
        total,
      );
  });

  it('are of the events of runs, of the newest version, of no deleted event and of one project', async () => {
    const projectId = newProject();
    const events = [1, 2, 3].map((duration) =>
      sampleEvent({ project_id: projectId, duration, metadata: { run_id: randomUUID() } }),
    );
    await writeEvents(store(), [...events, sampleEvent({ project_id: projectId, duration: 100 })]);
    const [updated, deleted] = events as [Event, Event, Event];
    const { event_id: eventId, session_id: sessionId, start_time: startTime } = deleted;
    const tombstone = { projectId, eventId, sessionId, startTime, version: 50 };
    await store().writer.write(
      batchOf({ rows: [rowOf({ ...updated, duration: 7 }, 51)], tombstones: [tombstone] }),
    );
    expect((await read(projectId, { runs: { sessionIds: [] } })).rows).toEqual([[0, '', 5, 2]]);
    expect((await read(projectId)).total).toBe(3);
    expect(await read(newProject())).toEqual({ rows: [], total: 0 });
    expect(await read(projectId, { starts: [] })).toEqual({ rows: [], total: 0 });
  });

  it('treat SQL in every text as data', async () => {
    const project = await written([at(0)]);
    for (const text of [`'); DROP TABLE events; --`, '{p0:String}', '\\', '`', '\0', '.*', '%']) {
      const field = `metadata.${text}`;
      const filters = acceptFilters([{ field, operator: 'is not', value: text }], 'lenient');
      const value = { field, aggregation: { kind: 'distinct' } } as const;
      expect((await read(project, { filters, value, groupBy: field })).rows).toEqual([[0, '', 0, 1]]);
    }
  });
}
