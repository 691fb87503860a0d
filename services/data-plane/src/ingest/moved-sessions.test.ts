import { randomUUID } from 'node:crypto';
import { acceptEvent, spanEventId, synthesiseSession, traceSessionId, type Event } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventStore, StatesPort, WriterPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { encodeEventRow } from '@assay/event-rows';
import { aReaderOf, consumed, NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';

let store: EventStore;
let removeStore: () => Promise<void>;

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());

/** Readers of different partitions, as in different processes: each has its own caches. */
const aReader = () => aReaderOf(store);

/** A reader whose process can be made to stop after writing the rows of a batch and before the next step. */
function aReaderThatStops() {
  let stops = false;
  const failingStore: Parameters<typeof aReaderOf>[0] = {
    states: portWith<StatesPort>(
      {
        changeFlags: (keys) =>
          stops && written ? Promise.reject(new Error('stopped')) : store.states.changeFlags(keys),
      },
      store.states,
    ),
    writer: portWith<WriterPort>(
      {
        write: async (batch) => {
          await store.writer.write(batch);
          written = stops;
        },
      },
      store.writer,
    ),
  };
  let written = false;
  const read = aReaderOf(failingStore);
  return { read, stopAfterWriting: () => (stops = true) };
}

/** A trace with the session derived from it and the session that it names later. */
function aTrace() {
  const trace = randomUUID().replaceAll('-', '');
  return { trace, derived: traceSessionId(PROJECT, trace), named: randomUUID() };
}

function eventIn(sessionId: string, fields: Partial<Event> = {}): Event {
  const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
  return {
    ...acceptEvent({ event_type: 'tool', inputs: { q: 1 }, session_id: sessionId }, context).event,
    ...fields,
  };
}

const json = (value: object) => Buffer.from(JSON.stringify(value));
const created = (event: Event) => consumed('event', event.event_id, encodeEventRow(event));
const patched = (event: Event) => consumed('patch', event.event_id, json({ metadata: { late: true } }));
const deleted = (id: string) => consumed('delete', id);
const moved = (from: string, to: string, sessions?: string[]) =>
  consumed('move', from, json({ to, sessions }));

async function inSession(id: string): Promise<readonly Event[]> {
  const filters = [{ field: 'session_id', operator: 'is', type: 'string', value: id } as const];
  const { events, total } = await store.events.search(PROJECT, {
    filters,
    limit: 100,
    offset: 0,
    ordered: true,
  });
  expect(total).toBe(events.length);
  return events;
}
const idsIn = async (id: string) => (await inSession(id)).map((event) => event.event_id).sort();
const idsOf = (...events: Event[]) => events.map((event) => event.event_id).sort();
const parentOf = async (event: Event) => (await store.events.find(PROJECT, event.event_id))?.parent_id;

describe('relocating the events of a trace that names its session late', () => {
  it('relocates stored events and removes the synthesised session', async () => {
    const { derived, named } = aTrace();
    const root = eventIn(derived);
    const child = eventIn(derived, { parent_id: root.event_id, start_time: NOW + 90 * 86_400_000 });
    await aReader()([created(synthesiseSession([root])), created(root), created(child)]);
    expect(await inSession(derived)).toHaveLength(3);
    await aReader()([moved(derived, named)]);
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], idsOf(root, child)]);
    expect([await parentOf(root), await parentOf(child)]).toEqual([named, root.event_id]);
    expect(await store.events.find(PROJECT, root.event_id)).toMatchObject({
      inputs: { q: 1 },
      session_id: named,
    });
  });

  it('relocates events that arrive later, in the same or another batch, and in another reader', async () => {
    const { derived, named } = aTrace();
    const [reader, events] = [aReader(), [eventIn(derived), eventIn(derived), eventIn(derived)] as const];
    await reader([moved(derived, named), created(events[0])]);
    await reader([created(events[1]), created(synthesiseSession([events[0]]))]);
    await aReader()([created(events[2])]);
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], idsOf(...events)]);
  });

  it('relocates events that two readers store while a third one moves', async () => {
    const { derived, named } = aTrace();
    const events = Array.from({ length: 60 }, () => eventIn(derived));
    const batches = Array.from({ length: 6 }, (_, index) =>
      events.slice(index * 10, index * 10 + 10).map(created),
    );
    batches.splice(3, 0, [moved(derived, named)]);
    const readers = [aReader(), aReader(), aReader()];
    await Promise.all(
      readers.map(async (read, index) => {
        for (const batch of batches.filter((_, number) => number % readers.length === index))
          await read(batch);
      }),
    );
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], idsOf(...events)]);
  });

  it('keeps an update by a reader that has cached the event at its old location', async () => {
    const { derived, named } = aTrace();
    const [owner, event] = [aReader(), eventIn(derived)];
    await owner([created(event)]);
    await aReader()([moved(derived, named)]);
    await owner([patched(event)]);
    expect(await inSession(named)).toMatchObject([{ metadata: { late: true }, inputs: { q: 1 } }]);
    await owner([consumed('patch', event.event_id, json({ metrics: { m: 1 } }))]);
    expect(await inSession(named)).toMatchObject([{ metadata: { late: true }, metrics: { m: 1 } }]);
    expect(await inSession(derived)).toEqual([]);
  });

  it('keeps an event deleted that a reader deletes at its old location', async () => {
    const { derived, named } = aTrace();
    const [owner, event] = [aReader(), eventIn(derived)];
    await owner([created(event)]);
    await aReader()([moved(derived, named)]);
    await owner([deleted(event.event_id)]);
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], []]);
  });

  it('changes nothing when records are redelivered in other batches to readers that have just started', async () => {
    const { derived, named } = aTrace();
    const event = eventIn(derived);
    const [create, session, update, move] = [
      created(event),
      created(synthesiseSession([event])),
      patched(event),
      moved(derived, named),
    ];
    const again = created(event);
    for (const batch of [
      [create, session],
      [move],
      [update],
      [create],
      [update, move],
      [create, update],
      [session],
      [again],
      [move, create],
    ]) {
      await aReader()(batch);
    }
    expect(await inSession(named)).toMatchObject([
      { event_id: event.event_id, metadata: { late: true }, parent_id: named },
    ]);
    expect(await inSession(derived)).toEqual([]);
  });

  it('relocates events when the reader had stopped right after storing the change flag or the rows', async () => {
    const { derived, named } = aTrace();
    const [early, late] = [eventIn(derived), eventIn(derived)];
    await aReader()([created(early)]);
    const move = moved(derived, named);
    const changes = [
      {
        projectId: PROJECT,
        eventId: derived,
        patch: {},
        deleted: false,
        movedTo: named,
        version: move.offset,
      },
    ];
    await store.writer.write({ rows: [], tombstones: [], changes, token: randomUUID() });
    const create = created(late);
    await store.writer.write({
      rows: [{ bytes: create.value, version: create.offset }],
      tombstones: [],
      changes: [],
      token: randomUUID(),
    });
    await aReader()([create]);
    expect(await idsIn(named)).toEqual(idsOf(late));
    await aReader()([move]);
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], idsOf(early, late)]);
  });

  it('shows an event once, at its new location, when a reader with the old location stops after writing an update', async () => {
    const { derived, named } = aTrace();
    const [owner, event] = [aReaderThatStops(), eventIn(derived)];
    await owner.read([created(event)]);
    await aReader()([moved(derived, named)]);
    owner.stopAfterWriting();
    const update = patched(event);
    await expect(owner.read([update])).rejects.toThrow('stopped');
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], idsOf(event)]);
    await aReader()([update]);
    expect(await inSession(named)).toMatchObject([{ metadata: { late: true } }]);
  });

  it('keeps an event deleted when a reader with the old location stops after deleting it there', async () => {
    const { derived, named } = aTrace();
    const [owner, event] = [aReaderThatStops(), eventIn(derived)];
    await owner.read([created(event)]);
    await aReader()([moved(derived, named)]);
    owner.stopAfterWriting();
    const remove = deleted(event.event_id);
    await expect(owner.read([remove])).rejects.toThrow('stopped');
    await aReader()([remove]);
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], []]);
  });

  it('merges an event that is sent again in its old session, even if the reader stops after writing it', async () => {
    const { derived, named } = aTrace();
    const event = eventIn(derived, { metadata: { first: 1 } });
    await aReader()([created(event)]);
    await aReader()([moved(derived, named)]);
    const again = created({ ...event, metadata: { second: 2 } });
    const stopping = aReaderThatStops();
    stopping.stopAfterWriting();
    await expect(stopping.read([again])).rejects.toThrow('stopped');
    await aReader()([again]);
    expect(await inSession(named)).toMatchObject([{ metadata: { first: 1, second: 2 }, parent_id: named }]);
  });

  it('keeps events in the session that the trace named first', async () => {
    const { derived, named } = aTrace();
    const [one, two] = [eventIn(derived), eventIn(derived)];
    await aReader()([created(one), moved(derived, named)]);
    await aReader()([moved(derived, randomUUID()), created(two)]);
    expect(await idsIn(named)).toEqual(idsOf(one, two));
  });

  it('follows chained moves, and loses no event to circular moves', async () => {
    const [first, second] = [aTrace(), aTrace()];
    const [one, two] = [eventIn(first.derived), eventIn(second.derived)];
    await aReader()([created(one), created(two)]);
    await aReader()([moved(first.derived, second.derived)]);
    await aReader()([moved(second.derived, second.named)]);
    await aReader()([created(one)]);
    expect(await idsIn(second.named)).toEqual(idsOf(one, two));

    const [left, right] = [aTrace(), aTrace()];
    const three = eventIn(left.derived);
    await aReader()([created(three), moved(left.derived, right.derived)]);
    await aReader()([moved(right.derived, left.derived)]);
    await aReader()([patched(three)]);
    expect([...(await inSession(left.derived)), ...(await inSession(right.derived))]).toMatchObject([
      { metadata: { late: true } },
    ]);
  });

  it('deletes the events when the target session is deleted, before or after the move', async () => {
    const { derived, named } = aTrace();
    await aReader()([created(eventIn(derived))]);
    await aReader()([deleted(named)]);
    await aReader()([moved(derived, named)]);
    await aReader()([created(eventIn(derived))]);
    expect([await idsIn(derived), await idsIn(named)]).toEqual([[], []]);
  });
});

describe('relocating the children of a parent that brings its own id', () => {
  function aFamily() {
    const { trace, derived: session } = aTrace();
    const derived = spanEventId(PROJECT, trace, '00f067aa0ba902b7');
    const parent = eventIn(session);
    return {
      session,
      derived,
      parent,
      child: () => eventIn(session, { parent_id: derived }),
      alias: () => moved(derived, parent.event_id, [session]),
    };
  }

  it('assigns children that came before, with and after the parent', async () => {
    const { parent, child, alias } = aFamily();
    const children = [child(), child(), child(), child()] as const;
    const reader = aReader();
    await reader([created(children[0])]);
    await reader([created(children[1]), created(parent), alias()]);
    await reader([created(children[2])]);
    await aReader()([created(children[3])]);
    expect(await Promise.all(children.map(parentOf))).toEqual(Array(4).fill(parent.event_id));
  });

  it('keeps the parent when a reader with an older cached state updates a child, and on redelivery', async () => {
    const { session, parent, child, alias } = aFamily();
    const [owner, one] = [aReader(), child()];
    const [create, move, update] = [created(one), alias(), patched(one)];
    await owner([create]);
    await aReader()([move, created(parent)]);
    await owner([update]);
    expect(await inSession(session)).toHaveLength(2);
    for (const batch of [[create], [update], [create, update], [move], [update, move, create]])
      await aReader()(batch);
    expect(await store.events.find(PROJECT, one.event_id)).toMatchObject({
      parent_id: parent.event_id,
      metadata: { late: true },
    });
  });

  it('assigns children when the session moves in the same request, in any order of records', async () => {
    for (const order of [
      (records: ConsumedRecord[]) => records,
      (records: ConsumedRecord[]) => records.reverse(),
    ]) {
      const { session, derived, parent, child } = aFamily();
      const [named, early, late] = [randomUUID(), child(), child()];
      await aReader()([created(early)]);
      const records = [
        moved(session, named),
        moved(derived, parent.event_id, [session, named]),
        created({ ...parent, session_id: named }),
      ];
      for (const record of order(records)) await aReader()([record]);
      await aReader()([created(late)]);
      expect([await parentOf(early), await parentOf(late)]).toEqual([parent.event_id, parent.event_id]);
      expect(await idsIn(named)).toEqual(idsOf(parent, early, late));
    }
  });
});
