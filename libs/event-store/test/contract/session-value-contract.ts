import { eventPath, valueAt, type Event, type Filter, type JsonValue } from '@assay/domain';
import type { ChartQuery, EventStore } from '../../src/event-store.js';
import { NEW_YEAR, newProject, sampleEvent, writeEvents } from '../event-fixture.js';
import { newSession, writeRandomSessions } from '../session-fixture.js';

const FIELDS = [
  'duration',
  'end_time',
  'metadata.num_events',
  'metadata.num_model_events',
  'metadata.num_errors',
  'metadata.has_feedback',
  'metadata.cost',
  'metadata.total_tokens',
  'metadata.prompt_tokens',
  'metadata.completion_tokens',
];
const HOUR = 3_600_000;
const SESSIONS: Filter = { field: 'event_type', operator: 'is', type: 'string', value: 'session' };
const USAGE = ['cost', 'total_tokens', 'prompt_tokens', 'completion_tokens'].map(
  (name) => `metadata.${name}`,
);
const OTHERS: Filter = { ...SESSIONS, operator: 'is not' };

/** Charts, pages and lists of values show what sessions derive from their events, as responses do. */
export function sessionValueContract(store: () => EventStore): void {
  let written: Promise<Awaited<ReturnType<typeof writeRandomSessions>>> | undefined;
  const random = () => (written ??= writeRandomSessions(store()));

  const readOf = (field: string) => {
    const path = eventPath(field);
    return (event: Event): JsonValue => (path === undefined ? null : valueAt(event, path));
  };
  const numberOf = (value: JsonValue): number | undefined => {
    if (typeof value === 'boolean') return value ? 1 : 0;
    return value === null ? undefined : Number(value);
  };
  const textOf = (value: JsonValue) =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  async function chart(projectId: string, query: Partial<ChartQuery>) {
    const { points } = await store().aggregates.chart(projectId, {
      filters: [],
      from: NEW_YEAR,
      to: NEW_YEAR + HOUR - 1,
      starts: [NEW_YEAR],
      value: { field: 'duration', aggregation: { kind: 'sum' } },
      maxGroups: 50,
      ...query,
    });
    return Object.fromEntries(points.map(({ group, value }) => [group, value]));
  }
  const countsOf = (texts: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
    return counts;
  };

  it.each(FIELDS)('sum, count and group by %s', async (field) => {
    const { seed, project_id, returned, stored } = await random();
    const ofType = (isSession: boolean) =>
      returned.filter(({ event_type }) => (event_type === 'session') === isSession);
    const selections = [
      // Usage that sessions derive is that of their events, and counts once.
      { filters: [], events: USAGE.includes(field) ? stored : returned },
      { filters: [SESSIONS], events: ofType(true) },
      { filters: [OTHERS], events: ofType(false) },
    ];
    const isFiltered = field === 'duration' || field === 'metadata.cost';
    for (const { filters, events } of isFiltered ? selections : selections.slice(0, 1)) {
      const values = events.map(readOf(field));
      const numbers = values.flatMap((value) => numberOf(value) ?? []);
      const read = async (kind: 'sum' | 'count' | 'distinct') =>
        (await chart(project_id, { filters, value: { field, aggregation: { kind } } }))[''] ?? 0;
      const found = {
        seed,
        sum: await read('sum'),
        count: await read('count'),
        distinct: await read('distinct'),
      };
      expect(found).toEqual({
        seed,
        sum: numbers.reduce((sum, value) => sum + value, 0),
        count: numbers.length,
        distinct: new Set(numbers).size,
      });
      const groups = await chart(project_id, {
        filters,
        groupBy: field,
        value: { field: 'start_time', aggregation: { kind: 'count' } },
      });
      expect({ seed, groups }).toEqual({ seed, groups: countsOf(values.map(textOf)) });
    }
  });

  it('sum one derived value by another', async () => {
    const { seed, project_id, returned } = await random();
    const groups = await chart(project_id, {
      filters: [SESSIONS],
      groupBy: 'metadata.num_events',
      value: { field: 'metadata.total_tokens', aggregation: { kind: 'sum' } },
    });
    const expected: Record<string, number> = {};
    for (const event of returned.filter(({ event_type }) => event_type === 'session')) {
      const group = textOf(readOf('metadata.num_events')(event));
      expected[group] = (expected[group] ?? 0) + (numberOf(readOf('metadata.total_tokens')(event)) ?? 0);
    }
    expect({ seed, groups }).toEqual({ seed, groups: expected });
  });

  it.each(FIELDS.filter((field) => field !== 'metadata.has_feedback'))('sort by %s', async (field) => {
    const { seed, project_id, returned } = await random();
    const read = (event: Event) => numberOf(readOf(field)(event)) ?? -Infinity;
    const expected = [...returned].sort((a, b) => read(b) - read(a) || (a.event_id < b.event_id ? -1 : 1));
    const ids: string[] = [];
    for (let after; ids.length <= returned.length;) {
      const page = await store().events.rows(project_id, {
        filters: [],
        sort: { field, order: 'desc' },
        limit: 17,
        previewChars: 0,
        payloadPaths: [],
        count: 'none',
        ...(after && { after }),
      });
      ids.push(...page.rows.map(({ event }) => event.event_id));
      after = page.rows.at(-1)?.position;
      if (!page.hasMore) break;
    }
    expect({ seed, ids }).toEqual({ seed, ids: expected.map(({ event_id }) => event_id) });
  });

  it.each(FIELDS)('list the values of %s', async (field) => {
    const { seed, project_id, returned } = await random();
    const { values } = await store().aggregates.fieldValues(project_id, { field, filters: [], limit: 100 });
    const counts: Record<string, number> = {};
    for (const { value, count } of values) counts[String(value)] = (counts[String(value)] ?? 0) + count;
    const texts = returned.map(readOf(field)).filter((value) => value !== null);
    expect({ seed, counts }).toEqual({ seed, counts: countsOf(texts.map(textOf)) });
    const types = new Set(values.map(({ value }) => typeof value));
    if (field !== 'metadata.has_feedback') expect(types).toContain('number');
  });

  it('refuse to count the usage of more than 10,000 sessions, unless a filter excludes sessions', async () => {
    const projectId = newProject();
    const sessions = Array.from({ length: 10_001 }, () => newSession(projectId, {}));
    const call = sampleEvent({
      project_id: projectId,
      session_id: sessions[0]?.session_id,
      metadata: { cost: 3 },
    });
    await writeEvents(store(), [...sessions, call]);
    const field = 'metadata.cost';
    const sort = { field, order: 'desc' } as const;
    const page = { sort, limit: 1, previewChars: 0, payloadPaths: [], count: 'none' } as const;
    const value = { field, aggregation: { kind: 'sum' } } as const;
    const refused = {
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('event_type') as string,
    };
    await expect(chart(projectId, { value, filters: [SESSIONS] })).rejects.toMatchObject(refused);
    await expect(store().events.rows(projectId, { ...page, filters: [] })).rejects.toMatchObject(refused);
    const values = { field, filters: [], limit: 10 };
    await expect(store().aggregates.fieldValues(projectId, values)).rejects.toMatchObject(refused);
    for (const filters of [[], [OTHERS]])
      expect(await chart(projectId, { value, filters })).toEqual({ '': 3 });
    expect(await chart(projectId, { value: { ...value, field: 'metadata.num_events' } })).toEqual({ '': 1 });
  });
}
