import { randomUUID } from 'node:crypto';
import {
  acceptEventSort,
  acceptFilters,
  NEWEST_FIRST,
  type Event,
  type FilterInput,
  type JsonObject,
} from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { EventRowsQuery } from '../../src/events-port.js';
import { batchOf, NEW_YEAR, newProject, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomEvent, randomFilter, randomFrom } from '@assay/event-rows/test/random-fixture';

const HOUR_MS = 3_600_000;

/** Pages of events without their payloads. */
export function eventRowsContract(store: () => EventStore): void {
  const queryOf = (fields: Partial<EventRowsQuery> = {}): EventRowsQuery => ({
    filters: [],
    sort: NEWEST_FIRST,
    limit: 500,
    previewChars: 20,
    payloadPaths: [],
    count: 'bounded',
    ...fields,
  });
  const filtersOf = (...inputs: FilterInput[]) => acceptFilters(inputs, 'strict');
  async function written(fields: readonly Partial<Event>[]): Promise<{ projectId: string; events: Event[] }> {
    const projectId = newProject();
    const events = fields.map((one) => sampleEvent({ project_id: projectId, ...one }));
    await writeEvents(store(), events);
    return { projectId, events };
  }
  /** Reads all pages; `between` runs before each further page. */
  async function readAll(
    projectId: string,
    query: Partial<EventRowsQuery>,
    between: (page: number) => Promise<void> = () => Promise.resolve(),
  ): Promise<string[]> {
    const ids: string[] = [];
    let after: EventRowsQuery['after'];
    for (let page = 1; ; page++) {
      const found = await store().events.rows(projectId, queryOf({ ...query, after }));
      ids.push(...found.rows.map(({ event }) => event.event_id));
      after = found.rows.at(-1)?.position;
      if (!found.hasMore) return ids;
      await between(page);
    }
  }

  it('returns events without payloads, with the beginning and the size of each payload', async () => {
    const { projectId, events } = await written([
      { inputs: { question: 'ä'.repeat(50) }, outputs: { answer: '😀' }, config: { model: 'm', n: 1 } },
    ]);
    const query = queryOf({ payloadPaths: ['config.model', 'config.n', 'inputs.x'] });
    const page = await store().events.rows(projectId, query);
    expect(page).toEqual({
      rows: [
        {
          event: { ...events[0], inputs: {}, outputs: {}, config: {} },
          position: { value: NEW_YEAR, eventId: events[0]?.event_id },
          payloadBytes: 115 + 17 + 19,
          preview: {
            inputs: `{"question":"${'ä'.repeat(7)}`,
            outputs: '{"answer":"😀"}',
            values: ['m', '1', null],
          },
        },
      ],
      hasMore: false,
      count: { value: 1, exact: true },
    });
    const bare = await store().events.rows(projectId, queryOf({ previewChars: 0, count: 'none' }));
    expect(bare.rows[0]).not.toHaveProperty('preview');
    expect(bare).not.toHaveProperty('count');
  });

  it('has the newest events again, also after newer ones came, the newest were deleted, and few are left', async () => {
    const at = (hour: number) => ({ event_type: 'session', start_time: NEW_YEAR + hour * HOUR_MS }) as const;
    const { projectId, events } = await written([0, 1, 2, 3, 4, 5, 6, 7].map(at));
    const sessions = filtersOf({ field: 'event_type', operator: 'is', value: 'session', type: 'string' });
    const newest = async () => {
      const query = queryOf({ filters: sessions, limit: 3, count: 'none' });
      const { rows, hasMore } = await store().events.rows(projectId, query);
      return { ids: rows.map(({ event }) => event.event_id), hasMore };
    };
    const idsOf = (...of: readonly (Event | undefined)[]) => of.map((event) => event?.event_id);
    expect(await newest()).toEqual({ ids: idsOf(events[7], events[6], events[5]), hasMore: true });
    const newer = sampleEvent({ project_id: projectId, ...at(8) });
    await writeEvents(store(), [newer]);
    expect(await newest()).toEqual({ ids: idsOf(newer, events[7], events[6]), hasMore: true });
    const remove = (of: readonly Event[]) =>
      store().writer.write(
        batchOf({
          tombstones: of.map(({ event_id: eventId, session_id: sessionId, start_time: startTime }) => ({
            ...{ projectId, eventId, sessionId, startTime, version: 50 },
          })),
        }),
      );
    await remove([newer, ...events.slice(5)]);
    expect(await newest()).toEqual({ ids: idsOf(events[4], events[3], events[2]), hasMore: true });
    await remove(events.slice(1, 4));
    expect(await newest()).toEqual({ ids: idsOf(events[4], events[0]), hasMore: false });
  });

  it('agrees with a search on random events and filters', async () => {
    const random = randomFrom(Date.now() % 1_000_000);
    const project_id = newProject();
    await writeEvents(
      store(),
      Array.from({ length: 60 }, () => randomEvent(random, { project_id })),
    );
    for (let round = 0; round < 8; round++) {
      const filters = [randomFilter(random)];
      const search = { filters, limit: 1_000, offset: 0, ordered: true };
      const { events, total } = await store().events.search(project_id, search);
      const page = await store().events.rows(project_id, queryOf({ filters, count: 'exact' }));
      expect(page.rows.map(({ event }) => event.event_id)).toEqual(events.map((event) => event.event_id));
      expect(page.count).toEqual({ value: total, exact: true });
    }
  });

  it('continues after a position while events are added, moved in time and deleted', async () => {
    const starts = Array.from({ length: 12 }, (_, index) => NEW_YEAR + Math.floor(index / 3) * HOUR_MS);
    const { projectId, events } = await written(starts.map((start_time) => ({ start_time })));
    const sorted = [...events].sort(
      (a, b) => b.start_time - a.start_time || (a.event_id < b.event_id ? -1 : 1),
    );
    const addNewer = async (page: number) =>
      writeEvents(
        store(),
        [sampleEvent({ project_id: projectId, start_time: NEW_YEAR + 9 * HOUR_MS })],
        50 + page,
      );
    const ids = await readAll(projectId, { limit: 5 }, addNewer);
    expect(ids).toEqual(sorted.map((event) => event.event_id));
  });

  it.each([
    ['asc', ['d', 'a', 'c', 'b', 'e']],
    ['desc', ['b', 'c', 'a', 'd', 'e']],
  ] as const)(
    'sorts by a number of metadata, %s, and puts events without it last',
    async (order, expected) => {
      const crowd = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`crowd${i}`, i]));
      const { projectId, events } = await written([
        { event_name: 'a', metadata: { cost: 0.1 } },
        { event_name: 'b', metadata: { ...crowd, cost: 3 } },
        { event_name: 'c', metadata: { cost: '2.5' } },
        { event_name: 'd', metadata: { cost: -1 } },
        { event_name: 'e', metadata: { cost: 'none' } },
      ]);
      const nameOf = new Map(events.map((event) => [event.event_id, event.event_name]));
      const sort = acceptEventSort({ field: 'metadata.cost', order });
      const ids = await readAll(projectId, { limit: 2, sort });
      expect(ids.map((id) => nameOf.get(id))).toEqual(expected);
    },
  );

  it('sorts by the derived duration', async () => {
    const { projectId } = await written([
      { event_name: 'long', duration: null, end_time: NEW_YEAR + 900 },
      { event_name: 'short', duration: 1 },
      { event_name: 'open', duration: null, end_time: null },
    ]);
    const sort = acceptEventSort({ field: 'duration' });
    const page = await store().events.rows(projectId, queryOf({ sort }));
    expect(page.rows.map(({ event, position }) => [event.event_name, position.value])).toEqual([
      ['long', 900],
      ['short', 1],
      ['open', null],
    ]);
  });

  it('returns what started since, without the events that were seen', async () => {
    const { projectId, events } = await written([
      { event_name: 'seen' },
      { event_name: 'same time' },
      { event_name: 'later', start_time: NEW_YEAR + 0.5 },
      { event_name: 'earlier', start_time: NEW_YEAR - 1 },
    ]);
    const since = { startTime: NEW_YEAR, eventIds: [events[0]!.event_id] };
    const page = await store().events.rows(projectId, queryOf({ since }));
    expect(page.rows.map(({ event }) => event.event_name)).toEqual(['later', 'same time']);
    expect(page.count).toEqual({ value: 4, exact: true });
  });

  it('counts replaced events once, and stops counting at 10,000 unless asked for all', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 10_050 }, () => sampleEvent({ project_id, session_id: undefined }));
    await writeEvents(
      store(),
      events.map((event) => ({ ...event, session_id: event.event_id })),
    );
    await writeEvents(
      store(),
      events.slice(0, 100).map((event) => ({ ...event, session_id: event.event_id })),
      20_000,
    );
    const few = { limit: 1, previewChars: 0 };
    expect((await store().events.rows(project_id, queryOf(few))).count).toEqual({
      value: 10_000,
      exact: false,
    });
    const counted = await store().events.rows(project_id, queryOf({ ...few, count: 'exact' }));
    expect(counted.count).toEqual({ value: 10_050, exact: true });
    const span = { from: NEW_YEAR - 10, to: NEW_YEAR + 10 };
    for (const [moved, count] of [
      [0, { value: 10_000, exact: false }],
      [10, { value: 10_000, exact: false }],
      [11, { value: 0, exact: true }],
    ] as const) {
      const query = queryOf({ ...few, from: span.from + moved, to: span.to + moved });
      expect((await store().events.rows(project_id, query)).count).toEqual(count);
    }
  });

  it('counts the events of a span that moves, before and after more of them are written', async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const project_id = newProject();
    const minutes = (count: number) => count * 60_000;
    const written: Event[] = [];
    const write = async (count: number) => {
      const events = Array.from({ length: count }, () =>
        sampleEvent({ project_id, start_time: NEW_YEAR + minutes(Math.floor(random() * 300)) }),
      );
      await writeEvents(store(), events, written.length + 1);
      written.push(...events);
    };
    for (let round = 0; round < 3; round++) {
      await write(6);
      for (let step = 0; step < 14; step++) {
        const from = NEW_YEAR + minutes(Math.floor(random() * 4) + step * 12 - 10);
        const to = from + minutes(120);
        const inside = written.filter(({ start_time: start }) => start >= from && start <= to);
        const query = queryOf({ from, to, limit: 1, count: step % 2 === 0 ? 'bounded' : 'exact' });
        const { rows, count } = await store().events.rows(project_id, query);
        expect({ seed, count, rows: rows.length }).toEqual({
          ...{ seed, rows: Math.min(1, inside.length) },
          count: { value: inside.length, exact: true },
        });
      }
    }
  });

  it.each([
    ['old versions of one', 1],
    ['those that are deleted', 0],
  ])('finds all sessions below more rows of newer sessions than are looked at first: %s', async (_, left) => {
    const projectId = newProject();
    const at = (hour: number) => {
      const [session_id, start_time] = [randomUUID(), NEW_YEAR + hour * HOUR_MS];
      const own = { event_id: session_id, session_id, start_time, event_type: 'session' } as const;
      return sampleEvent({ project_id: projectId, ...own });
    };
    const older = [5, 4, 3, 2, 1].map(at);
    const newer = left === 1 ? Array<Event>(16).fill(at(6)) : Array.from({ length: 16 }, () => at(6));
    await writeEvents(store(), older);
    for (const [nth, event] of newer.entries()) await writeEvents(store(), [event], 100 + nth);
    const tombstones = newer.map(({ event_id: eventId, session_id: sessionId, start_time: startTime }) => {
      return { projectId, eventId, sessionId, startTime, version: 1_000 };
    });
    if (left === 0) await store().writer.write(batchOf({ tombstones }));
    const filters = filtersOf({ field: 'event_type', operator: 'is', value: 'session' });
    const visible = [...newer.slice(0, left), ...older].map(({ event_id: id }) => id);
    expect(await readAll(projectId, { filters, limit: 2 })).toEqual(visible);
  });

  it('returns what the sessions of a page began with, as for any sessions', async () => {
    const [own, root] = [randomUUID(), randomUUID()];
    const session = { event_type: 'session', parent_id: null, outputs: {} } as const;
    const { projectId } = await written([
      { ...session, event_id: own, session_id: own, inputs: { question: 'of the session' } },
      { ...session, event_id: root, session_id: root, inputs: {} },
      { session_id: root, parent_id: root, inputs: { question: 'of the root' }, outputs: {} },
      { session_id: own, parent_id: own, inputs: { question: 'of an event' } },
    ]);
    const page = await store().events.rows(projectId, queryOf({ withSessionPreviews: true }));
    const asked = [own, root].map((sessionId) => ({ sessionId, startTime: NEW_YEAR }));
    expect(page.sessionPreviews).toEqual(await store().sessions.previews(projectId, asked, 20));
    expect(page.sessionPreviews?.size).toBe(2);
    expect(page.rows).toEqual((await store().events.rows(projectId, queryOf())).rows);
  });

  it('returns the same beginnings with what the events of the sessions add up to', async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const any = <Value>(...values: Value[]) => values[Math.floor(random() * values.length)]!;
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const own = { event_type: 'session', parent_id: null } as const;
    const { projectId } = await written([
      ...ids.map((id) => ({
        ...own,
        event_id: id,
        session_id: id,
        inputs: any<JsonObject>({}, { own: id }),
        outputs: {},
      })),
      ...Array.from({ length: 60 }, (_, n) => {
        const session_id = any(...ids);
        const parent_id = any(session_id, session_id, randomUUID(), '', null);
        const start_time = NEW_YEAR + any(0, 1, 2, HOUR_MS, 2 * HOUR_MS);
        return { session_id, parent_id, start_time, inputs: { n }, outputs: {} };
      }),
    ]);
    const sessions = ids.map((sessionId) => ({ sessionId, startTime: NEW_YEAR }));
    const previews = await store().sessions.previews(projectId, sessions, 20);
    const query = queryOf({ withSessionPreviews: true, withSessionRollups: true });
    const { sessionPreviews } = await store().events.rows(projectId, query);
    expect({ seed, sessionPreviews }).toEqual({ seed, sessionPreviews: previews });
  });

  it.each([
    { sizes: [2] },
    { sizes: [300] },
    { sizes: [2, 70, 150] },
    { sizes: [2, 70, 700] },
    { sizes: [2, 70, 150], isRedelivered: true },
  ])(
    'adds up the newest versions of the events of sessions: %j',
    async ({ sizes, isRedelivered = false }) => {
      const projectId = newProject();
      const sessions = sizes.map((size) => {
        const session_id = randomUUID();
        const of = { project_id: projectId, session_id };
        const own = sampleEvent({
          ...of,
          event_id: session_id,
          event_type: 'session',
          inputs: {},
          outputs: {},
        });
        const events = Array.from({ length: size }, (_, n) =>
          sampleEvent({ ...of, start_time: NEW_YEAR + n, metadata: { cost: 1 }, inputs: { n } }),
        );
        return { own, events };
      });
      const all = sessions.flatMap(({ own, events }) => [own, ...events]);
      await writeEvents(store(), all, 1_000);
      if (isRedelivered) await writeEvents(store(), all, 1_000);
      const latest = sessions.map(({ events }) => events.at(-1)!);
      const changed = { metadata: { cost: 7 }, error: 'late', inputs: { late: true } };
      await writeEvents(
        store(),
        latest.map((event) => ({ ...event, ...changed })),
        10_000,
      );
      await writeEvents(
        store(),
        latest.map((event) => ({ ...event, metadata: { cost: 90 } })),
      );
      const tombstones = sessions.map(({ events }) => {
        const { event_id: eventId, session_id: sessionId, start_time: startTime } = events[0]!;
        return { projectId, eventId, sessionId, startTime, version: 20_000 };
      });
      await store().writer.write(batchOf({ tombstones }));
      const filters = filtersOf({ field: 'event_type', operator: 'is', value: 'session' });
      const query = queryOf({ filters, withSessionPreviews: true, withSessionRollups: true });
      const { rollups, sessionPreviews } = await store().events.rows(projectId, query);
      const found = sessions.map(({ own: { event_id: id } }) => ({
        ...rollups?.get(id),
        inputs: sessionPreviews?.get(id)?.inputs,
      }));
      expect(found).toMatchObject(
        sizes.map((size) => ({
          ...{ numEvents: size - 1, numErrors: 1, cost: size - 2 + 7 },
          inputs: size === 2 ? '{"late":true}' : '{"n":1}',
        })),
      );
      const ids = sessions.map(({ own }) => own.session_id);
      expect(rollups).toEqual(await store().sessions.rollups(projectId, ids));
    },
  );

  it('never returns an event of another project', async () => {
    const { projectId } = await written([{}]);
    const filters = filtersOf({ field: 'project_id', operator: 'is', value: projectId });
    expect((await store().events.rows(newProject(), queryOf({ filters }))).rows).toEqual([]);
    expect((await store().events.rows(newProject(), queryOf())).rows).toEqual([]);
  });

  it('fails as unavailable when the caller cancels', async () => {
    const signal = AbortSignal.abort();
    await expect(store().events.rows(newProject(), queryOf(), { signal })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
}
