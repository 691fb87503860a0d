import { randomUUID } from 'node:crypto';
import { ROOT_FIELDS, matchesFilter, matchesFilters, type Event, type Filter } from '@assay/domain';
import { FILTER_CASES } from '@assay/domain/test/filter-cases';
import type { EventStore } from '../../src/event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../../src/sql/engine/engine.js';
import { NEW_YEAR, newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomEvent, randomFilter, randomFrom } from '@assay/event-rows/test/random-fixture';

const INJECTIONS = [
  `' OR 1=1 --`,
  `x'); DROP TABLE events; --`,
  '\\',
  `\\' OR ''='`,
  '{p0:String}',
  '{p0:Identifier}',
  '%',
  '_',
  '`',
  '"',
  '\0',
  '\n',
  '😀',
  '?',
  ';',
];

/** Search: filters, dates, order, pages, and the limits of a query. */
export function searchContract(
  store: () => EventStore,
  openWithLimits: (limits: QueryLimits) => EventStore,
): void {
  async function idsOf(projectId: string, filters: readonly Filter[]): Promise<string[]> {
    const { events, total } = await store().events.search(projectId, queryOf({ filters, limit: 7_500 }));
    expect(total).toBe(events.length);
    return events.map((event) => event.event_id).sort();
  }

  const idsThatMatch = (events: readonly Event[], filters: readonly Filter[]) =>
    events
      .filter((event) => matchesFilters(event, filters))
      .map((event) => event.event_id)
      .sort();

  describe('filters', () => {
    // Some leaves of an event with many leaves are not indexed: every case must also hold without the index.
    const crowd = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`crowd${i}`, i]));
    const crowded = FILTER_CASES.map(({ event, filter }) => {
      const full = {
        ...event,
        event_id: randomUUID(),
        user_properties: { ...event.user_properties, ...crowd },
      };
      return { event: full, filter, matches: matchesFilter(full, filter) };
    });
    beforeAll(async () => {
      await writeEvents(
        store(),
        [...FILTER_CASES, ...crowded].map(({ event }) => event),
      );
    });

    it.each(FILTER_CASES.map((row, index) => [row.name, index] as const))('%s', async (_name, index) => {
      const rows = [FILTER_CASES[index], crowded[index]].filter((row) => row !== undefined);
      const ids: Filter = {
        field: 'event_id',
        operator: 'in',
        type: 'string',
        value: rows.map((row) => row.event.event_id),
      };
      const filter = FILTER_CASES[index]?.filter ?? ids;
      const expected = rows.filter((row) => row.matches).map((row) => row.event.event_id);
      expect(await idsOf('filter-cases', [filter, ids])).toStrictEqual(expected.sort());
    });

    it('agrees with the in-memory filters on random events', async () => {
      const seed = Date.now() % 1_000_000;
      const random = randomFrom(seed);
      const project_id = newProject();
      const events = Array.from({ length: 150 }, () => randomEvent(random, { project_id }));
      await writeEvents(store(), events);
      for (let round = 0; round < 60; round++) {
        const filters = Array.from({ length: 1 + (round % 3 === 0 ? 1 : 0) }, () => randomFilter(random));
        const found = await idsOf(project_id, filters);
        const expected = idsThatMatch(events, filters);
        const wrong = events.filter(
          ({ event_id }) => found.includes(event_id) !== expected.includes(event_id),
        );
        expect({ seed, filters, wrong }).toStrictEqual({ seed, filters, wrong: [] });
      }
    });
  });

  it('compares the bounds of a search with the newest version of an event, also within an hour', async () => {
    const project_id = newProject();
    const event = sampleEvent({ project_id });
    await writeEvents(store(), [event], 1);
    await writeEvents(store(), [{ ...event, start_time: NEW_YEAR + 20 }], 10);
    const startsOf = async (bounds: { from?: number; to?: number }) =>
      (await store().events.search(project_id, queryOf(bounds))).events.map((found) => found.start_time);
    expect(await startsOf({ to: NEW_YEAR + 10 })).toStrictEqual([]);
    expect(await startsOf({ from: NEW_YEAR + 10 })).toStrictEqual([NEW_YEAR + 20]);
    await writeEvents(store(), [{ ...event, start_time: NEW_YEAR + 5 }], 20);
    expect(await startsOf({ from: NEW_YEAR + 10 })).toStrictEqual([]);
    expect(await startsOf({ to: NEW_YEAR + 10 })).toStrictEqual([NEW_YEAR + 5]);
  });

  it('orders by start time, newest first, then by id, and pages without gaps or overlaps', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 230 }, (_, i) =>
      sampleEvent({ project_id, start_time: NEW_YEAR + Math.floor(i / 50) * 0.25 }),
    );
    await writeEvents(store(), events);
    const found: Event[] = [];
    for (let offset = 0; offset <= 250; offset += 50) {
      const page = await store().events.search(project_id, queryOf({ limit: 50, offset }));
      expect(page.total).toBe(230);
      found.push(...page.events);
    }
    const expected = [...events].sort(
      (a, b) => b.start_time - a.start_time || (a.event_id < b.event_id ? -1 : 1),
    );
    expect(found).toStrictEqual(expected);
  });

  it('finds every event when the order does not matter', async () => {
    const project_id = newProject();
    await writeEvents(store(), [sampleEvent({ project_id }), sampleEvent({ project_id })]);
    expect((await store().events.search(project_id, queryOf({ ordered: false }))).events).toHaveLength(2);
  });

  it('treats the bounds of the start time as inclusive, to the fraction of a millisecond', async () => {
    const project_id = newProject();
    const times = [-5, 0, NEW_YEAR, NEW_YEAR + 0.25, NEW_YEAR + 0.5, NEW_YEAR + 1, 4_200_000_000_000, 1e15];
    await writeEvents(
      store(),
      times.map((start_time) => sampleEvent({ project_id, start_time })),
    );
    const between = async (from?: number, to?: number) =>
      (await store().events.search(project_id, queryOf({ from, to }))).events
        .map((event) => event.start_time)
        .reverse();
    expect(await between(NEW_YEAR + 0.25, NEW_YEAR + 0.5)).toStrictEqual([NEW_YEAR + 0.25, NEW_YEAR + 0.5]);
    expect(await between(undefined, 0)).toStrictEqual([-5, 0]);
    expect(await between(NEW_YEAR + 0.6)).toStrictEqual([NEW_YEAR + 1, 4_200_000_000_000, 1e15]);
    expect(await between(5e14, 2e15)).toStrictEqual([1e15]);
    expect(await between(10, 5)).toStrictEqual([]);
  });

  it('never returns an event of another project', async () => {
    const [mine, theirs] = [newProject(), newProject()];
    await writeEvents(store(), [
      sampleEvent({ project_id: mine }),
      sampleEvent({ project_id: theirs, inputs: { a: 'secret' } }),
    ]);
    const secret: Filter = { field: 'inputs.a', operator: 'is', type: 'string', value: 'secret' };
    const exists: Filter = { field: 'inputs', operator: 'exists', type: 'string', value: null };
    expect(await idsOf(mine, [secret])).toStrictEqual([]);
    expect(await idsOf(mine, [exists])).toHaveLength(1);
    expect(
      await idsOf(mine, [{ field: 'project_id', operator: 'is', type: 'string', value: theirs }]),
    ).toStrictEqual([]);
  });

  it.each(INJECTIONS)('treats %j as data in every parameter', async (text) => {
    const project_id = `${newProject()} ${text.replaceAll('\0', '')}`;
    const event = sampleEvent({
      project_id,
      event_name: text,
      metadata: { [text]: text },
      outputs: { [text]: { [text]: text } },
    });
    await writeEvents(store(), [event, sampleEvent({ project_id })]);
    const is = (field: string): Filter => ({ field, operator: 'is', type: 'string', value: text });
    const fields = text.includes('\0')
      ? ['event_name']
      : ['event_name', `metadata.${text}`, `outputs.${text}.${text}`];
    for (const field of fields) expect(await idsOf(project_id, [is(field)])).toStrictEqual([event.event_id]);
    for (const field of fields) {
      expect(
        await idsOf(project_id, [{ field, operator: 'contains', type: 'string', value: text }]),
      ).toStrictEqual([event.event_id]);
      expect(
        await idsOf(project_id, [{ field, operator: 'in', type: 'string', value: [text, 'other'] }]),
      ).toStrictEqual([event.event_id]);
    }
    for (const field of ['session_id', 'event_id', 'start_time', 'children_ids', text])
      expect(await idsOf(project_id, [is(field)])).toStrictEqual([]);
    expect(await store().events.find(text, text)).toBeUndefined();
    expect((await store().sessions.rollups(text, [text])).size).toBe(0);
    await store().administration.check();
  });

  it('supports every field of an event that a filter can name', async () => {
    const event = sampleEvent({ project_id: newProject(), error: 'e', parent_id: randomUUID() });
    const session = sampleEvent({ project_id: event.project_id, event_type: 'session', parent_id: null });
    await writeEvents(store(), [event, session]);
    for (const field of ROOT_FIELDS) {
      const found = await idsOf(event.project_id, [
        { field, operator: 'exists', type: 'string', value: null },
      ]);
      expect({ [field]: found }).toEqual({
        [field]: expect.arrayContaining([
          field === 'session_name' ? session.event_id : event.event_id,
        ]) as string[],
      });
    }
  });

  it('accepts 50 filters and lists of 1,000 values', async () => {
    const event = sampleEvent({
      project_id: newProject(),
      metadata: { a: { b: { c: 'v7' } } },
      config: { n: 7 },
    });
    await writeEvents(store(), [event]);
    const texts: Filter = {
      field: 'metadata.a.b.c',
      operator: 'in',
      type: 'string',
      value: Array.from({ length: 1_000 }, (_, i) => `v${i}`),
    };
    const numbers: Filter = {
      field: 'config.n',
      operator: 'in',
      type: 'number',
      value: Array.from({ length: 1_000 }, (_, i) => i),
    };
    expect(await idsOf(event.project_id, [texts, numbers])).toStrictEqual([event.event_id]);
    const many = Array.from({ length: 25 }, () => [
      { ...texts, value: ['v7'] },
      { ...numbers, value: [7] },
    ]).flat();
    expect(await idsOf(event.project_id, many)).toStrictEqual([event.event_id]);
  });

  it.each([{ maxRowsToRead: 100 }, { maxBytesToRead: 5_000 }])(
    'rejects a query beyond %p and runs the next one',
    async (limit) => {
      const project_id = newProject();
      const events = Array.from({ length: 5_000 }, () => sampleEvent({ project_id }));
      await writeEvents(store(), events);
      const bounded = openWithLimits({ ...DEFAULT_QUERY_LIMITS, ...limit });
      try {
        for (let round = 0; round < 3; round++) {
          const refused = bounded.events.search(project_id, queryOf());
          await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
        }
        expect((await bounded.events.search('unknown', queryOf())).total).toBe(0);
      } finally {
        await bounded.administration.close();
      }
    },
  );

  it('rejects a result that is too large', async () => {
    const project_id = newProject();
    await writeEvents(
      store(),
      Array.from({ length: 4 }, () => sampleEvent({ project_id, outputs: { text: 'x'.repeat(50_000) } })),
    );
    const small = openWithLimits({ ...DEFAULT_QUERY_LIMITS, maxResultBytes: 100_000 });
    try {
      await expect(small.events.search(project_id, queryOf())).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      expect((await small.events.search(project_id, queryOf({ limit: 1 }))).events).toHaveLength(1);
    } finally {
      await small.administration.close();
    }
  });
}
