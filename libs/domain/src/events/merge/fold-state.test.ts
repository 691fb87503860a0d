import fc from 'fast-check';
import { UNKNOWN } from '../event-shape.js';
import type { Event, EventPatch } from '../event.js';
import {
  foldState,
  foldWhileItFits,
  type BoundedFold,
  type FoldedState,
  MAX_UPDATE_IDS,
  type FoldRecord,
  type StoredState,
} from './fold-state.js';
import { applyPatch, mergeCreates, mergePatches } from './merge-event.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

function eventOf(fields: Partial<Event> = {}): Event {
  return {
    project_id: 'p',
    event_id: ID,
    session_id: ID,
    parent_id: ID,
    children_ids: [],
    event_type: 'model',
    event_name: UNKNOWN,
    source: UNKNOWN,
    start_time: 10,
    end_time: null,
    duration: null,
    error: null,
    inputs: {},
    outputs: {},
    config: {},
    metadata: {},
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'sent',
    ...fields,
  };
}

const create = (version: number, fields: Partial<Event> = {}): FoldRecord => ({
  version,
  kind: 'event',
  event: eventOf(fields),
});
const patch = (version: number, fields: EventPatch): FoldRecord => ({
  version,
  kind: 'patch',
  patch: fields,
});
const remove = (version: number): FoldRecord => ({ version, kind: 'delete' });

/**
 * Returns the stored state after a batch. With `crashed`, the process stopped between writing the changes and
 * writing the row.
 */
function store(state: StoredState, batch: readonly FoldRecord[], crashed = false): StoredState {
  const folded = foldState(state, batch);
  const event = folded.event === undefined ? undefined : { ...folded.event, version: folded.version };
  const row = crashed || !folded.eventChanged ? state.event : event;
  return { event: row, changes: folded.changesChanged ? folded.changes : state.changes };
}

describe('folding records into a state', () => {
  it('keeps the first move of an id beside its updates, and leaves the event of that id unchanged', () => {
    const move = (version: number, to: string): FoldRecord => ({ version, kind: 'move', to });
    const state = store({}, [
      create(1),
      patch(2, { metrics: { a: 1 } }),
      move(3, 'first'),
      move(4, 'second'),
      patch(5, { metrics: { b: 2 } }),
    ]);
    expect(state.changes).toEqual({
      patch: { metrics: { a: 1, b: 2 } },
      deleted: false,
      movedTo: 'first',
      version: 5,
    });
    expect(foldState(state, [move(6, 'third')])).toMatchObject({
      eventChanged: false,
      changes: { movedTo: 'first' },
    });
    expect(store(state, [remove(7)]).changes).toEqual({
      patch: {},
      deleted: true,
      movedTo: 'first',
      version: 7,
    });
  });

  it('keeps an update that arrives before its event and applies it when the event arrives', () => {
    const early = foldState({}, [patch(1, { metrics: { f1: 1 } })]);
    expect(early).toMatchObject({ eventChanged: false, changesChanged: true });
    expect(early.event).toBeUndefined();
    const state = store({}, [patch(1, { metrics: { f1: 1 } })]);
    expect(foldState(state, [create(2, { metrics: { f1: 0, f2: 2 } })])).toMatchObject({
      event: { metrics: { f1: 1, f2: 2 } },
      version: 2,
      eventChanged: true,
      changesChanged: false,
    });
  });

  it('never lets a repeated create undo an update', () => {
    const records = [
      create(1, { outputs: { a: 1 }, metadata: { x: 1 } }),
      patch(2, { outputs: { a: 2 }, metadata: { x: 2 } }),
    ];
    const { event } = foldState(store({}, records), [
      create(3, { outputs: { a: 1 }, metadata: { x: 1, y: 1 }, event_name: 'new' }),
    ]);
    expect(event).toMatchObject({ outputs: { a: 2 }, metadata: { x: 2, y: 1 }, event_name: 'new' });
  });

  it('keeps a deleted event deleted', () => {
    const state = store({}, [create(1, { metadata: { secret: 1 } }), remove(2)]);
    expect(state.event).toBeUndefined();
    expect(state.changes).toEqual({ patch: {}, deleted: true, version: 2 });
    const later = foldState(state, [create(3), patch(4, { metrics: { a: 1 } })]);
    expect(later).toMatchObject({ deleted: true, eventChanged: false, changesChanged: false });
    expect(later.event).toBeUndefined();
  });

  it('replaces a row with a tombstone', () => {
    const state = store({}, [create(1)]);
    expect(foldState(state, [remove(2)])).toMatchObject({
      event: undefined,
      version: 2,
      deleted: true,
      eventChanged: true,
    });
  });

  it('changes nothing when records are delivered again', () => {
    const records = [create(1), patch(2, { metrics: { a: 1 } }), create(3, { event_name: 'x' })];
    const again = foldState(store({}, records), records);
    expect(again).toMatchObject({
      eventChanged: false,
      changesChanged: false,
      version: 3,
      event: { event_name: 'x', metrics: { a: 1 } },
    });
  });

  it('completes a row that was not written although its changes were', () => {
    const state = store(store({}, [create(1)]), [patch(2, { metrics: { a: 1 } })], true);
    expect(state.event?.metrics).toEqual({});
    expect(foldState(state, [patch(2, { metrics: { a: 1 } })])).toMatchObject({
      event: { metrics: { a: 1 } },
      version: 2,
      eventChanged: true,
      changesChanged: false,
    });
  });

  it('does not skip a create between two updates whose changes were stored', () => {
    const batch = [
      patch(2, { metrics: { a: 1 } }),
      create(3, { event_name: 'new' }),
      patch(4, { metrics: { b: 1 } }),
    ];
    const crashed = store(store({}, [create(1)]), batch, true);
    const state = batch.reduce((before, record) => store(before, [record]), crashed);
    expect(state.event).toMatchObject({ event_name: 'new', metrics: { a: 1, b: 1 }, version: 4 });
  });
});

// -- any history ---------------------------------------------------------------------------------------------------------

const value = fc.integer({ min: 0, max: 9 });
const bucket = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), value, { maxKeys: 3 });
const anyPatch: fc.Arbitrary<EventPatch> = fc.record(
  {
    metadata: bucket,
    metrics: bucket,
    feedback: bucket,
    inputs: bucket,
    outputs: bucket,
    duration: value,
    start_time: value,
    end_time: value,
    event_name: fc.constantFrom('x', 'z'),
    event_type: fc.constantFrom('model' as const, 'tool' as const),
    error: fc.constantFrom('e', 'f'),
  },
  { requiredKeys: [] },
);
const anyEvent: fc.Arbitrary<Event> = fc
  .record({
    event_name: fc.constantFrom(UNKNOWN, 'x', 'y'),
    start_time: value,
    end_time: fc.option(value),
    inputs: bucket,
    outputs: bucket,
    metadata: bucket,
    metrics: bucket,
    event_type: fc.constantFrom('model' as const, 'session' as const),
    origin: fc.constantFrom('sent' as const, 'synthesised' as const),
  })
  .map(eventOf);

type Step = { event: Event } | { patch: EventPatch } | 'delete';
const anyStep = fc.oneof(
  { weight: 4, arbitrary: anyEvent.map((event): Step => ({ event })) },
  { weight: 6, arbitrary: anyPatch.map((fields): Step => ({ patch: fields })) },
  { weight: 1, arbitrary: fc.constant<Step>('delete') },
);

/** Reference implementation: all creates merged, all updates merged on top, absent once deleted. */
function plainly(history: readonly Step[]): Event | undefined {
  if (history.includes('delete')) return undefined;
  const creates = history.flatMap((step) => (step !== 'delete' && 'event' in step ? [step.event] : []));
  const patches = history.flatMap((step) => (step !== 'delete' && 'patch' in step ? [step.patch] : []));
  const [first, ...others] = creates;
  return first === undefined
    ? undefined
    : applyPatch(
        others.reduce((older, newer) => mergeCreates(older, newer), first),
        patches.reduce((older, newer) => mergePatches(older, newer), {}),
      );
}

function recordOf(step: Step, index: number): FoldRecord {
  const version = 10 + index;
  if (step === 'delete') return { version, kind: 'delete' };
  return 'event' in step
    ? { version, kind: 'event', event: step.event }
    : { version, kind: 'patch', patch: step.patch };
}

/**
 * One batch of a delivery: its number of records, whether the process crashes in between, and how far back
 * the reader then restarts.
 */
const anyDelivery = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 4 }),
    crash: fc.boolean(),
    back: fc.integer({ min: 0, max: 5 }),
  }),
  {
    maxLength: 30,
  },
);
type Delivery = { size: number; crash: boolean; back: number };

/**
 * Delivers the log as a consumer reads it: in order, in batches of any size, and again from the last commit
 * after a crash.
 */
function deliver(log: readonly FoldRecord[], deliveries: readonly Delivery[]): StoredState {
  let state: StoredState = {};
  let at = 0;
  for (const { size, crash, back } of deliveries) {
    const batch = log.slice(at, at + size);
    state = store(state, batch, crash);
    at = crash ? Math.max(0, at - back) : Math.min(log.length, at + size);
  }
  return store(state, log.slice(at));
}

describe('for any history', () => {
  const seed = Date.now() % 2 ** 31;

  it(`gives the state of the reference implementation, however records are delivered (seed ${seed})`, () => {
    const histories = fc.array(anyStep, { minLength: 1, maxLength: 14 });
    const property = fc.property(histories, anyDelivery, (history, deliveries) => {
      const state = deliver(history.map(recordOf), deliveries);
      const expected = plainly(history);
      if (expected === undefined) return expect(state.event).toBeUndefined();
      const { version: _version, ...event } = state.event ?? { version: 0 };
      expect(JSON.stringify(sorted(event))).toBe(JSON.stringify(sorted(expected)));
    });
    fc.assert(property, { seed, numRuns: 3_000 });
  });

  it(`merges updates identically in any grouping (seed ${seed})`, () => {
    const property = fc.property(anyPatch, anyPatch, anyPatch, (a, b, c) => {
      expect(sorted(mergePatches(mergePatches(a, b), c))).toEqual(
        sorted(mergePatches(a, mergePatches(b, c))),
      );
      // An unstated duration follows from all updates of an event together.
      const last = { duration: 1, ...b };
      expect(sorted(applyPatch(applyPatch(eventOf(), a), last))).toEqual(
        sorted(applyPatch(eventOf(), mergePatches(a, last))),
      );
    });
    fc.assert(property, { seed });
  });
});

describe('an update with an identity', () => {
  const identified = (version: number, updateId: string, fields: EventPatch): FoldRecord => ({
    ...(patch(version, fields) as FoldRecord & { kind: 'patch' }),
    updateId,
  });
  const scored = (version: number, a: number) => identified(version, `a=${a}`, { metrics: { a } });

  it('does not undo a later update when it is sent again', () => {
    const state = store({}, [create(1), scored(2, 4), patch(3, { metrics: { a: 5 } })]);
    const again = foldState(state, [create(4), scored(5, 4)]);
    expect(again.event?.metrics).toEqual({ a: 5 });
    expect(again.changesChanged).toBe(false);
    expect(store(state, [scored(6, 3)]).event?.metrics).toEqual({ a: 3 });
  });

  it('reaches the row when the process stopped after writing the changes', () => {
    const batch = [scored(2, 4), scored(3, 4), patch(4, { metrics: { b: 1 } })];
    const crashed = store(store({}, [create(1)]), batch, true);
    const state = batch.reduce((before, record) => store(before, [record]), crashed);
    expect(state.event).toMatchObject({ metrics: { a: 4, b: 1 }, version: 4 });
  });

  it('is remembered by the event, up to a number of identities, until the event is deleted', () => {
    const many = Array.from({ length: MAX_UPDATE_IDS + 1 }, (_, index) => scored(index + 2, index));
    const state = store({}, [create(1), ...many]);
    expect(state.changes?.updateIds).toHaveLength(MAX_UPDATE_IDS);
    expect(state.changes?.updateIds?.[0]).toBe('a=1');
    expect(store(state, [remove(999)]).changes).toEqual({ patch: {}, deleted: true, version: 999 });
  });
});

describe('a replayed record', () => {
  const replayed = (version: number, firstVersion: number, fields: EventPatch): FoldRecord => ({
    ...(patch(version, fields) as FoldRecord & { kind: 'patch' }),
    firstVersion,
  });

  it('does not undo newer updates and adds what they do not set', () => {
    const before = foldState({}, [create(1), patch(9, { metrics: { a: 9 } })]);
    const { version: _version, ...rest } = before;
    const stored: StoredState = { event: { ...rest.event!, version: 9 }, changes: rest.changes };
    const lost = { metrics: { a: 5, b: 5 }, feedback: { rating: 5 } };
    const folded = foldState(stored, [replayed(20, 5, lost)]);
    expect(folded.event).toMatchObject({ metrics: { a: 9, b: 5 }, feedback: { rating: 5 } });
    expect([folded.version, folded.changes?.version]).toEqual([20, 20]);
  });

  it('keeps the order among several replayed records when nothing newer is stored', () => {
    const records = [
      create(1),
      replayed(20, 5, { metrics: { a: 5, b: 5 } }),
      replayed(21, 7, { metrics: { a: 7 } }),
      patch(22, { metrics: { c: 22 } }),
    ];
    expect(foldState({}, records).event?.metrics).toEqual({ a: 7, b: 5, c: 22 });
  });

  it('changes nothing when it is delivered again', () => {
    const records = [
      create(1),
      patch(9, { metrics: { a: 9 } }),
      replayed(20, 5, { metrics: { a: 5, b: 5 } }),
    ];
    const { event, changes, version } = foldState({}, records);
    const again = foldState({ event: { ...event!, version }, changes }, records);
    expect([again.event, again.changes, again.eventChanged]).toEqual([event, changes, false]);
  });

  it('does not bring back a deleted event', () => {
    const event = eventOf({ outputs: { text: 'late' } });
    const folded = foldState({}, [
      create(1),
      { version: 9, kind: 'delete' },
      { version: 20, kind: 'event', event, firstVersion: 5 },
    ]);
    expect(folded.event).toBeUndefined();
  });

  it('that creates an event does not replace the fields of a newer create', () => {
    const event = eventOf({ outputs: { text: 'old' }, config: { model: 'm' } });
    const folded = foldState({}, [
      create(9, { outputs: { text: 'new' } }),
      { version: 20, kind: 'event', event, firstVersion: 5 },
    ]);
    expect(folded.event).toMatchObject({ outputs: { text: 'new' }, config: { model: 'm' } });
  });
});

describe('foldWhileItFits', () => {
  function foldToEnd(...args: Parameters<typeof foldWhileItFits>): BoundedFold {
    const task = foldWhileItFits(...args);
    for (;;) {
      const step = task.next();
      if (step.done === true) return step.value;
    }
  }

  function* fits({ event, changes }: FoldedState): Generator<undefined, boolean, undefined> {
    yield;
    return JSON.stringify([event, changes?.patch]).length < 1_000;
  }
  const large = { outputs: { text: 'x'.repeat(1_000) } };

  it('leaves out an update that makes the event too large and applies those around it', () => {
    const records = [
      create(1),
      patch(2, { metrics: { a: 1 } }),
      patch(3, large),
      patch(4, { metrics: { b: 2 } }),
    ];
    const { folded, skipped } = foldToEnd({}, records, fits);
    expect(skipped).toEqual([records[2]]);
    expect(folded).toEqual(foldState({}, [records[0]!, records[1]!, records[3]!]));
  });

  it('leaves out a create that is too large together with earlier updates', () => {
    const records = [patch(1, { metrics: { a: 1 } }), create(2, large), create(3)];
    const { folded, skipped } = foldToEnd({}, records, fits);
    expect(skipped).toEqual([records[1]]);
    expect(folded.event).toMatchObject({ outputs: {}, metrics: { a: 1 } });
  });

  it('applies a delete to an event of any size', () => {
    const stored: StoredState = { event: { ...eventOf(large), version: 1 } };
    const { folded, skipped } = foldToEnd(stored, [{ version: 2, kind: 'delete' }], fits);
    expect(skipped).toEqual([]);
    expect(folded.deleted).toBe(true);
  });

  it('does not judge records again that are stored already', () => {
    const stored: StoredState = {
      event: { ...eventOf(large), version: 2 },
      changes: { patch: large, deleted: false, version: 2 },
    };
    expect(foldToEnd(stored, [patch(2, large)], fits).skipped).toEqual([]);
  });
});

/** Sorts keys at every depth, because merging may change their order. */
function sorted(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.entries(input)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
