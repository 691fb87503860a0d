import { randomUUID } from 'node:crypto';
import { acceptFilters, type Event, type Filter, type FilterInput, type RunEvent } from '@assay/domain';
import type { RunEventsQuery, EventStore } from '../../src/event-store.js';
import { batchOf, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';

/** Reading the events of runs. */
export function runEventsContract(store: () => EventStore): void {
  const run = randomUUID();
  const other = randomUUID();
  const filtersOf = (inputs: FilterInput[]) => acceptFilters(inputs, 'lenient');
  const condition = (composite: string, filters: readonly Filter[]) => ({ composites: [composite], filters });

  async function written(fields: readonly Partial<Event>[]): Promise<{ projectId: string; events: Event[] }> {
    const projectId = newProject();
    const events = fields.map((one) =>
      sampleEvent({ project_id: projectId, session_id: randomUUID(), ...one }),
    );
    await writeEvents(store(), events);
    return { projectId, events };
  }
  async function read(projectId: string, query: Partial<RunEventsQuery> = {}) {
    const runs = [{ runId: run, sessionIds: [] }];
    const events = await store().aggregates.runEvents(projectId, { runs, filters: [], ...query });
    const nameOf = ({ eventName, eventId }: RunEvent) => `${eventName}\0${eventId}`;
    return [...events].sort((a, b) => a.startTime - b.startTime || (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  const namesOf = async (...args: Parameters<typeof read>) =>
    (await read(...args)).map(({ eventName }) => eventName);

  it('returns what results need of an event', async () => {
    const metrics = { accuracy: 0.5, 'a.b': true, note: 'NaN' };
    const metadata = { run_id: run, datapoint_id: 'd1' };
    const { projectId, events } = await written([{ metrics, metadata, event_type: 'chain', start_time: 5 }]);
    expect(await read(projectId)).toEqual([
      {
        eventId: events[0]?.event_id,
        sessionId: events[0]?.session_id,
        eventName: 'answer',
        eventType: 'chain',
        startTime: 5,
        runId: run,
        datapointId: 'd1',
        metrics,
        isSelected: true,
        hasError: false,
        composites: [],
        mayHaveGroundTruth: true,
      },
    ]);
  });

  it('returns the values of each of many events, which share some of them', async () => {
    const sessionIds = Array.from({ length: 7 }, () => randomUUID());
    const { projectId, events } = await written(
      Array.from({ length: 2_000 }, (_, index) => ({
        event_name: `name ${index % 3}`,
        event_type: index % 2 === 0 ? ('tool' as const) : ('model' as const),
        session_id: sessionIds[index % 7],
        start_time: index,
        error: index % 11 === 0 ? 'failed' : null,
        metadata: {
          run_id: index % 5 === 0 ? other : run,
          datapoint_id: index % 13 === 0 ? '' : `d${index % 13}`,
        },
        metrics: {
          exact: index % 4 === 0,
          score: index % 4 === 0 ? 1 : index / 3,
          note: `"${index % 17}",\\`,
        },
      })),
    );
    const runs = [run, other].map((runId) => ({ runId, sessionIds: [] }));
    const even = filtersOf([{ field: 'event_type', value: 'tool' }]);
    const failed = filtersOf([{ field: 'error', value: 'failed' }]);
    const found = await read(projectId, {
      runs,
      conditions: [condition('failed', failed), condition('even', even)],
    });
    expect(found).toEqual(
      events.map((event) => ({
        eventId: event.event_id,
        sessionId: event.session_id,
        eventName: event.event_name,
        eventType: event.event_type,
        startTime: event.start_time,
        runId: event.metadata['run_id'],
        datapointId: event.metadata['datapoint_id'],
        metrics: event.metrics,
        isSelected: true,
        hasError: event.error !== null,
        composites: [
          ...(event.error === null ? [] : ['failed']),
          ...(event.event_type === 'tool' ? ['even'] : []),
        ],
        mayHaveGroundTruth: true,
      })),
    );
  });

  it.each([
    ['few', 0],
    ['many', 2_100],
  ])('finds the events that may have a ground truth among %s, if asked', async (_title, more) => {
    const truths = ['a label', true, { nested: 1 }].map((value) => ({ ground_truth: { exact: value } }));
    const feedback = [...truths, { ground_truth: null }, { note: 'a ground_truth' }, {}];
    const { projectId } = await written(
      [...feedback, ...Array.from({ length: more }, () => ({}))].map((one, index) => ({
        ...{ feedback: one, start_time: index, metadata: { run_id: run } },
      })),
    );
    const flagsOf = async (query: Partial<RunEventsQuery>) =>
      (await read(projectId, query)).slice(0, 6).map((event) => event.mayHaveGroundTruth);
    expect(await flagsOf({ findGroundTruths: true })).toEqual([true, true, true, true, false, false]);
    expect(await flagsOf({})).toEqual([true, true, true, true, true, true]);
  });

  it('returns the newest row of an event that was moved to another session', async () => {
    const metadata = { run_id: run };
    const { projectId, events } = await written([
      { metadata, event_name: 'before', metrics: { a: 1 }, start_time: 5 },
    ]);
    const [session_id, start_time] = [randomUUID(), 5 + 3 * 3_600_000];
    const moved = { ...events[0]!, event_name: 'after', session_id, start_time, metrics: { a: 2 } };
    await store().writer.write(batchOf({ rows: [rowOf(moved, 51)] }));
    expect(await read(projectId)).toMatchObject([
      { eventName: 'after', sessionId: session_id, startTime: start_time, metrics: { a: 2 } },
    ]);
  });

  it('compares what sessions derive from their events with filters, as searches do', async () => {
    const metadata = { run_id: run };
    const session = (event_name: string, fields: Partial<Event> = {}) => {
      const id = randomUUID();
      const ids = { event_id: id, session_id: id, event_name };
      return {
        ...ids,
        event_type: 'session' as const,
        end_time: null,
        duration: null,
        metadata,
        start_time: 1_000,
        ...fields,
      };
    };
    const [short, long, sent] = [
      session('short'),
      session('long'),
      session('sent', { metadata: { ...metadata, cost: 9 } }),
    ];
    const call = ({ session_id }: Partial<Event>, event_name: string, duration: number, cost: number) => ({
      ...{ session_id, event_name, event_type: 'model' as const, metadata: { cost } },
      ...{ start_time: 1_000, end_time: 1_000 + duration, duration, metrics: {} },
    });
    const { projectId } = await written([
      ...[short, long, sent],
      ...[call(short, 'a', 100, 1), call(long, 'b', 900, 2), call(long, 'c', 50, 3), call(sent, 'd', 5, 1)],
    ]);
    const selected = async (...filters: FilterInput[]) => {
      const conditions = [condition('all', []), condition('same', filtersOf(filters))];
      const events = await read(projectId, { filters: filtersOf(filters), conditions });
      for (const { isSelected, composites } of events)
        expect(composites).toEqual(isSelected ? ['all', 'same'] : ['all']);
      return events.filter(({ isSelected }) => isSelected).map(({ eventName }) => eventName);
    };
    const above = (field: string, value: number): FilterInput => ({
      field,
      operator: 'greater than',
      type: 'number',
      value,
    });
    expect(await selected(above('duration', 500))).toEqual(['b', 'long']);
    expect(await selected(above('metadata.num_events', 1))).toEqual(['long']);
    expect(await selected(above('metadata.cost', 2))).toEqual(['c', 'long', 'sent']);
    expect(await selected(above('metadata.cost', 2), above('duration', 500))).toEqual(['long']);
    const models: FilterInput = { field: 'event_type', operator: 'is', type: 'string', value: 'model' };
    expect(await selected(above('metadata.cost', 2), models)).toEqual(['c']);
  });

  it('returns events that name a run, and all events of sessions that name one or are listed', async () => {
    const [named, listed] = [randomUUID(), randomUUID()];
    const { projectId } = await written([
      { event_name: '1 alone', metadata: { run_id: run } },
      { event_name: '2 session', event_id: named, session_id: named, metadata: { run_id: run } },
      { event_name: '3 child', session_id: named },
      { event_name: '4 child of another run', session_id: named, metadata: { run_id: other } },
      { event_name: '5 listed', session_id: listed },
      { event_name: '6 unrelated' },
      { event_name: '7 of another run', metadata: { run_id: other } },
    ]);
    const sessionIds = [named, listed, 'not an id', randomUUID()];
    expect(await namesOf(projectId)).toEqual(['1 alone', '2 session', '3 child', '4 child of another run']);
    expect(await namesOf(projectId, { runs: [{ runId: run, sessionIds }] })).toEqual([
      '1 alone',
      '2 session',
      '3 child',
      '4 child of another run',
      '5 listed',
    ]);
    expect(await namesOf(projectId, { runs: [{ runId: other, sessionIds: [] }] })).toEqual([
      '4 child of another run',
      '7 of another run',
    ]);
    expect(await namesOf(newProject(), { runs: [{ runId: run, sessionIds }] })).toEqual([]);
  });

  it('reads any number of listed sessions', async () => {
    const session_id = randomUUID();
    const { projectId } = await written([{ session_id }]);
    const sessionIds = [...Array.from({ length: 45_000 }, () => randomUUID()), session_id];
    expect(await namesOf(projectId, { runs: [{ runId: run, sessionIds }] })).toEqual(['answer']);
  });

  it('returns the newest version of an event, and no deleted one', async () => {
    const metadata = { run_id: run };
    const { projectId, events } = await written([{ metadata, metrics: { a: 1 } }, { metadata }]);
    const [updated, deleted] = events as [Event, Event];
    const tombstone = {
      projectId,
      eventId: deleted.event_id,
      sessionId: deleted.session_id,
      startTime: deleted.start_time,
      version: 50,
    };
    await store().writer.write(
      batchOf({ rows: [rowOf({ ...updated, metrics: { a: 2 } }, 51)], tombstones: [tombstone] }),
    );
    expect(await read(projectId)).toMatchObject([{ eventId: updated.event_id, metrics: { a: 2 } }]);
    await store().writer.write(batchOf({ rows: [rowOf({ ...updated, metadata: { run_id: other } }, 52)] }));
    expect(await read(projectId)).toEqual([]);
  });

  it.each<readonly [title: string, filters: FilterInput[], selected: string[]]>([
    ['a column', [{ field: 'event_type', value: 'tool' }], ['b']],
    ['an indexed value', [{ field: 'metadata.env', value: 'prod' }], ['a']],
    ['a negation', [{ field: 'metadata.env', operator: 'is not', value: 'prod' }], ['b', 'c']],
    ['a number', [{ field: 'metrics.a', operator: 'greater than', value: 1 }], ['b', 'c']],
    ['text of the payload', [{ field: 'inputs.question', operator: 'contains', value: 'WHY' }], ['a', 'c']],
    ['presence', [{ field: 'outputs.answer', operator: 'exists' }], ['a']],
    ['an incomplete index', [{ field: 'metadata.k199', value: 199 }], ['c']],
    [
      'several filters',
      [
        { field: 'metrics.a', operator: 'greater than', value: 1 },
        { field: 'event_type', value: 'model' },
      ],
      ['c'],
    ],
  ])('selects by %s', async (_title, inputs, selected) => {
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, index]));
    const { projectId } = await written([
      { event_name: 'a', metadata: { run_id: run, env: 'prod' }, metrics: { a: 1 } },
      {
        event_name: 'b',
        metadata: { run_id: run },
        metrics: { a: 2 },
        event_type: 'tool',
        inputs: {},
        outputs: {},
      },
      { event_name: 'c', metadata: { run_id: run, ...wide }, metrics: { a: 3 }, outputs: {} },
    ]);
    const filters = filtersOf(inputs);
    const events = await read(projectId, {
      filters,
      conditions: [condition('all', []), condition('same', filters)],
    });
    expect(events.map(({ eventName }) => eventName)).toEqual(['a', 'b', 'c']);
    for (const event of events) {
      const isSelected = selected.includes(event.eventName);
      expect(event).toMatchObject({ isSelected, composites: isSelected ? ['all', 'same'] : ['all'] });
      expect(Object.keys(event.metrics)).toEqual(isSelected ? ['a'] : []);
    }
  });

  it('selects by start time, both ends inclusive', async () => {
    const metadata = { run_id: run };
    const { projectId } = await written([1, 2, 3, 4].map((start_time) => ({ metadata, start_time })));
    const events = await read(projectId, { from: 2, to: 3 });
    expect(events.map(({ isSelected }) => isSelected)).toEqual([false, true, true, false]);
  });

  it('returns the same of an event whether the run is small or large', async () => {
    const [named, listed] = [randomUUID(), randomUUID()];
    const { projectId, events } = await written([
      { event_name: 'updated', metadata: { run_id: run }, metrics: { a: 1 } },
      { event_name: 'redelivered', metadata: { run_id: run }, metrics: { a: 0.1 }, error: 'failed' },
      { event_name: 'left the run', metadata: { run_id: run } },
      { event_name: 'joined the run', metadata: { run_id: other } },
      { event_name: 'deleted', metadata: { run_id: run } },
      { event_name: 'session', event_id: named, session_id: named, metadata: { run_id: run } },
      { event_name: 'child', session_id: named, metadata: {} },
      { event_name: 'child that joined the run', session_id: named, metadata: {} },
      { event_name: 'deleted child', session_id: named, metadata: {} },
      { event_name: 'of a listed session', session_id: listed, metadata: {} },
    ]);
    const byName = new Map(events.map((event) => [event.event_name, event]));
    const rowWith = (name: string, version: number, fields: Partial<Event>) =>
      rowOf({ ...(byName.get(name) as Event), ...fields }, version);
    const tombstones = ['deleted', 'deleted child'].map((name) => {
      const { event_id: eventId, session_id: sessionId, start_time: startTime } = byName.get(name) as Event;
      return { projectId, eventId, sessionId, startTime, version: 60 };
    });
    const rows = [
      rowWith('updated', 60, { metrics: { a: 2 } }),
      rowWith('left the run', 60, { metadata: { run_id: other } }),
      rowWith('joined the run', 60, { metadata: { run_id: run } }),
      rowWith('child that joined the run', 60, { metadata: { run_id: run } }),
    ];
    await store().writer.write(batchOf({ rows, tombstones }));
    const again = [rowWith('redelivered', 70, {})];
    for (const _time of [1, 2]) await store().writer.write(batchOf({ rows: again }));
    const query = {
      runs: [{ runId: run, sessionIds: [listed] }],
      filters: filtersOf([{ field: 'event_name', operator: 'not contains', value: 'child' }]),
      conditions: [
        condition('above', filtersOf([{ field: 'metrics.a', operator: 'greater than', value: 1 }])),
      ],
    };
    const fillers = (session_id: string, metadata: Event['metadata']) =>
      writeEvents(
        store(),
        Array.from({ length: 1_001 }, () =>
          sampleEvent({ project_id: projectId, session_id, event_name: 'filler', metadata }),
        ),
      );
    const readOthers = async () =>
      (await read(projectId, query)).filter(({ eventName }) => eventName !== 'filler');
    const ofSmall = await readOthers();
    expect(
      ofSmall.map(({ eventName, isSelected, composites }) => [eventName, isSelected, composites]),
    ).toEqual([
      ['child', false, []],
      ['child that joined the run', false, []],
      ['joined the run', true, []],
      ['of a listed session', true, []],
      ['redelivered', true, []],
      ['session', true, []],
      ['updated', true, ['above']],
    ]);
    await fillers(listed, {});
    expect(await readOthers()).toEqual(ofSmall);
    await fillers(randomUUID(), { run_id: run });
    expect(await readOthers()).toEqual(ofSmall);
    expect(await readOthers()).toEqual(ofSmall);
  });

  it('returns the same with and without a condition that all events satisfy, whatever has changed since the last read', async () => {
    const projectId = newProject();
    const random = randomFrom(52);
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
    const sessionIds = Array.from({ length: 9 }, () => randomUUID());
    const ids = [...sessionIds, ...Array.from({ length: 30 }, () => randomUUID())];
    const current = new Map<string, Event>();
    const queries = [[run], [other], [run, other]].map((runIds) => ({
      runs: runIds.map((runId, index) => ({ runId, sessionIds: index === 0 ? sessionIds.slice(0, 1) : [] })),
    }));
    for (let version = 10; version < 30; version++) {
      const changed = Array.from({ length: 5 }, () => pick(ids)).map((event_id, index) => {
        const before = current.get(event_id);
        const event = sampleEvent({
          project_id: projectId,
          event_id,
          session_id: sessionIds.includes(event_id)
            ? event_id
            : before && random() < 0.9
              ? before.session_id
              : pick(sessionIds),
          start_time: before?.start_time ?? 1_790_000_000_000 + index * 1_800_000,
          event_name: `version ${version}`,
          metadata: pick<Event['metadata']>([{ run_id: run }, { run_id: other }, {}]),
          metrics: { version },
        });
        current.set(event_id, event);
        return event;
      });
      const unique = [...new Map(changed.map((event) => [event.event_id, event])).values()];
      const deleted = random() < 0.5 ? pick(unique) : undefined;
      const batch = batchOf({
        rows: unique.map((event) => rowOf(event, version * 10)),
        tombstones: deleted
          ? [
              {
                projectId,
                eventId: deleted.event_id,
                sessionId: deleted.session_id,
                startTime: deleted.start_time,
                version: version * 10 + 1,
              },
            ]
          : [],
      });
      await store().writer.write(batch);
      // A batch that is delivered twice has two rows of the same version. Last: such runs are then read in another way.
      if (version > 26) await store().writer.write(batch);
      for (const query of queries) {
        const asked = { ...query, from: 1_790_000_000_000 + 1_800_000 };
        const withCondition = await read(projectId, { ...asked, conditions: [condition('all', [])] });
        expect(await read(projectId, asked)).toEqual(
          withCondition.map((event) => ({ ...event, composites: [] })),
        );
      }
    }
  });

  it.each([
    ['few', 3],
    ['many', 203],
  ])('returns the events of %s sessions, also when one more joins', async (_title, count) => {
    const metadata = { run_id: run };
    const { projectId } = await written(
      Array.from({ length: count }, (_, index) => ({ metadata, start_time: index, event_name: `${index}` })),
    );
    const names = Array.from({ length: count }, (_, index) => `${index}`);
    expect(await namesOf(projectId)).toEqual(names);
    const more = { project_id: projectId, session_id: randomUUID(), metadata, start_time: count };
    await writeEvents(store(), [sampleEvent({ ...more, event_name: 'more' })]);
    expect(await namesOf(projectId)).toEqual([...names, 'more']);
    expect(await namesOf(projectId)).toEqual([...names, 'more']);
  });

  it('returns a session that joined one of two runs that have many sessions together', async () => {
    const ofRuns = [run, other].flatMap((run_id) =>
      Array.from({ length: 150 }, () => ({ metadata: { run_id }, start_time: 5, event_name: run_id })),
    );
    const { projectId } = await written(ofRuns);
    const runs = [run, other].map((runId) => ({ runId, sessionIds: [] }));
    for (const one of runs) expect(await read(projectId, { runs: [one] })).toHaveLength(150);
    expect(await read(projectId, { runs })).toHaveLength(300);
    const session_id = randomUUID();
    const more = { project_id: projectId, session_id, event_id: session_id, event_name: 'session' };
    const child = { project_id: projectId, session_id, event_name: 'child', metadata: {} };
    await writeEvents(store(), [sampleEvent({ ...more, metadata: { run_id: run } }), sampleEvent(child)]);
    const names = (await namesOf(projectId, { runs })).filter((name) => name !== run && name !== other);
    expect(names.sort()).toEqual(['child', 'session']);
    expect(await read(projectId, { runs: runs.slice(0, 1) })).toHaveLength(152);
    expect(await read(projectId, { runs: runs.slice(0, 1) })).toHaveLength(152);
  });
}
