import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventSchemaQuery, EventStore } from '../../src/event-store.js';
import { batchOf, NEW_YEAR, newProject, sampleEvent, writeEvents } from '../event-fixture.js';
import { tombstoneOf } from '../purge-fixture.js';

const HOUR = 3_600_000;

/** Which fields events have. */
export function eventSchemaContract(store: () => EventStore): void {
  const run = randomUUID();
  const empty = { inputs: {}, outputs: {}, config: {} };

  async function schemaOf(fields: readonly Partial<Event>[], query: Partial<EventSchemaQuery> = {}) {
    const project_id = newProject();
    await writeEvents(
      store(),
      fields.map((one) => sampleEvent({ project_id, session_id: randomUUID(), ...empty, ...one })),
    );
    const { fields: found, datasets } = await store().aggregates.eventSchema(project_id, {
      scope: 'events',
      ...query,
    });
    return { names: found.map(({ name }) => name).sort(), found, datasets };
  }

  it('lists the paths of values with the name and type of their events', async () => {
    const { names, found } = await schemaOf([
      {
        event_type: 'tool',
        event_name: 'search',
        inputs: { question: 'why', nested: { deep: 1, none: null }, empty: {} },
        outputs: { content: 'x'.repeat(5_000), list: [{ a: 1 }] },
        metadata: { 'a.b': true },
        metrics: { accuracy: 0.5 },
      },
    ]);
    expect(names).toEqual([
      'inputs.nested.deep',
      'inputs.question',
      'metadata.a.b',
      'metrics.accuracy',
      'outputs.content',
      'outputs.list',
    ]);
    expect(new Set(found.map(({ eventType, eventName }) => `${eventType} ${eventName}`))).toEqual(
      new Set(['tool search']),
    );
  });

  it('is of all events, of those of any run, or of one run', async () => {
    const [session, listed, other] = [randomUUID(), randomUUID(), randomUUID()];
    const events: Partial<Event>[] = [
      { metadata: { run_id: run, dataset_id: 'EXT-1', a: 1 } },
      { event_id: session, session_id: session, metadata: { run_id: run, b: 1 } },
      { session_id: session, metadata: { c: 1 } },
      { session_id: listed, metadata: { d: 1 } },
      { metadata: { run_id: other, dataset_id: 'other', e: 1 } },
      { metadata: { f: 1 } },
      { session_id: session, metadata: { run_id: other, g: 1 } },
      { session_id: listed, metadata: { run_id: other, h: 1 } },
    ];
    const letters = async (scope: EventSchemaQuery['scope']) => {
      const { names, datasets } = await schemaOf(events, { scope });
      return [
        names
          .filter((name) => /^metadata\..$/.test(name))
          .map((name) => name.at(-1))
          .join(' '),
        datasets,
      ];
    };
    expect(await letters('events')).toEqual(['a b c d e f g h', ['EXT-1', 'other']]);
    expect(await letters({ sessionIds: [] })).toEqual(['a b c e g h', ['EXT-1', 'other']]);
    expect(await letters({ sessionIds: [listed, 'x'] })).toEqual(['a b c d e g h', ['EXT-1', 'other']]);
    expect(await letters({ runId: run, sessionIds: [listed, 'x'] })).toEqual(['a b c d h', ['EXT-1']]);
    expect(await letters({ runId: run, sessionIds: [] })).toEqual(['a b c', ['EXT-1']]);
    expect(await letters({ runId: randomUUID(), sessionIds: [] })).toEqual(['', []]);
  });

  it('is of the first 20,000 sessions that runs list', async () => {
    const sessionIds = Array.from({ length: 20_001 }, () => randomUUID());
    const events = [0, 19_999, 20_000].map((index) => ({
      session_id: sessionIds[index],
      metadata: { [`at${index}`]: 1 },
    }));
    for (const runId of [randomUUID(), undefined]) {
      const { names } = await schemaOf(events, { scope: { runId, sessionIds } });
      expect(names).toEqual(['metadata.at0', 'metadata.at19999']);
    }
  });

  it('is of the events of a range of start times', async () => {
    const events = [1, 2, 3].map((start_time) => ({ start_time, metadata: { [`at${start_time}`]: 1 } }));
    expect((await schemaOf(events, { from: 2, to: 2 })).names).toEqual(['metadata.at2']);
  });

  it('has lists of events that are behind thousands of deleted ones', async () => {
    const project_id = newProject();
    const deleted = Array.from({ length: 5_100 }, (_, index) =>
      sampleEvent({ project_id, start_time: NEW_YEAR + HOUR + index, ...empty }),
    );
    await writeEvents(store(), [
      ...deleted,
      sampleEvent({ project_id, start_time: NEW_YEAR, ...empty, outputs: { list: [{ a: 1 }] } }),
    ]);
    const tombstones = deleted.map((event) => tombstoneOf(event, 9_000));
    await store().writer.write(batchOf({ tombstones }));
    const { fields } = await store().aggregates.eventSchema(project_id, { scope: 'events' });
    expect(fields.map(({ name }) => name)).toContain('outputs.list');
  });

  it('has at most 5,000 fields, the most frequent ones', async () => {
    const wide = (from: number) =>
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`k${from + index}`, 1]));
    const events = Array.from({ length: 45 }, (_, index) => ({
      metadata: { ...wide(index * 120), frequent: 'x' },
    }));
    const { names } = await schemaOf(events);
    expect(names).toHaveLength(5_000);
    expect(names).toContain('metadata.frequent');
  });

  it('has every field once before it is full of the names of events', async () => {
    const events = Array.from({ length: 2_600 }, (_, index) => ({
      event_name: `name ${index}`,
      metadata: { a: 1, b: 1 },
      metrics: { z: 1 },
      outputs: { list: [index] },
    }));
    const { found, names } = await schemaOf(events);
    expect(found).toHaveLength(5_000);
    expect([...new Set(names)]).toEqual(['metadata.a', 'metadata.b', 'metrics.z', 'outputs.list']);
  });
}
