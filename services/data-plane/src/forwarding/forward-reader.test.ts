import { randomUUID } from 'node:crypto';
import type { ForwardedEvent } from '@assay/control-plane-client';
import { encodeRecord, type EventRecord, type RecordKind } from '@assay/contracts';
import { spanEventId, traceSessionId, type Event, type EventPatch } from '@assay/domain';
import { AppError, unavailable } from '@assay/errors';
import { replayDeadLetters } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import {
  eventOf,
  Forwarding,
  openStoreFolder,
  PROJECT,
  type StoreFolder,
  waitFor,
} from '../../test/forwarding-fixture.js';
import { FIRST_EPOCH } from '../../test/store-batch-fixture.js';
import { EventIdFilter } from '../ingest/event-id-filter.js';
import { makeStoreBatch } from '../ingest/store-batch.js';
import { EventStateCache } from '../shared/event-state-cache.js';

let folder: StoreFolder;
let store: EventStore;

beforeAll(async () => {
  folder = await openStoreFolder();
  store = folder.store;
});
afterAll(() => folder.remove());

describe('the forward reader', () => {
  let forwarding: Forwarding | undefined;
  const started = async (options = { storing: true }) =>
    (forwarding = await Forwarding.start({ ...options, folder }));
  afterEach(() => forwarding?.stop());

  it('forwards the merged event, redacted, with the version of its last record', async () => {
    const { append, forwarded, passed } = bound(await started());
    const event = eventOf();
    await append(['event', event], ['patch', event, { metrics: { score: 1 }, outputs: { text: 'secret' } }]);
    await passed();
    expect(forwarded).toHaveLength(1);
    expect(forwarded[0]).toMatchObject({
      kind: 'event',
      version: 1,
      event: { event_id: event.event_id, inputs: { q: '' }, outputs: { text: '' }, metrics: { score: 1 } },
    });
    expect(JSON.stringify(forwarded)).not.toContain('secret');
  });

  it('forwards no summaries of sessions where none are wanted, and everything else', async () => {
    forwarding = await Forwarding.start({ storing: true, folder, summaries: false });
    const { append, forwarded, passed } = bound(forwarding);
    const [event, removed] = [eventOf(), eventOf()];
    await append(['event', event], ['event', removed]);
    await passed();
    await append(['delete', removed]);
    await passed();
    expect(forwarded.map(({ kind }) => kind)).toEqual(['event', 'event', 'delete']);
    expect(forwarding.sessions).toEqual([]);
  });

  it('forwards every update in log order', async () => {
    const { append, forwarded, passed } = bound(await started());
    const event = eventOf();
    await append(['event', event]);
    for (let score = 1; score <= 3; score++) {
      await passed();
      await append(['patch', event, { metrics: { score } }]);
    }
    await passed();
    expect(forwarded.map(({ version }) => version)).toEqual([0, 1, 2, 3]);
    expect(forwarded.at(-1)).toMatchObject({ event: { metrics: { score: 3 } } });
  });

  it('forwards an update that precedes its event only with the event', async () => {
    const { append, forwarded, passed } = bound(await started());
    const event = eventOf();
    await append(['patch', event, { metrics: { score: 1 } }]);
    await passed();
    expect(forwarded).toEqual([]);
    await append(['event', event]);
    await passed();
    expect(forwarded).toMatchObject([{ version: 1, event: { metrics: { score: 1 } } }]);
  });

  it('forwards a delete without any content of the event', async () => {
    const { append, forwarded, passed } = bound(await started());
    const event = eventOf();
    await append(['event', event], ['delete', event]);
    await passed();
    expect(forwarded).toEqual([{ kind: 'delete', version: 1, projectId: PROJECT, eventId: event.event_id }]);
  });

  it('forwards the events of a session that moves, and then the removal of the temporary session', async () => {
    const all = await started();
    const { append, forwarded, passed } = bound(all);
    const { derived, named, temporary, events } = aTrace();
    await append(['event', temporary], ['event', events[0]!], ['event', events[1]!]);
    await passed();
    forwarded.length = 0;
    await all.move(derived, { to: named });
    await passed();
    expect(forwarded.slice(0, -1).map(sessionOf).toSorted()).toEqual(
      events
        .map(({ event_id }) => `${event_id} in ${named} v${event_id === events[0]?.event_id ? 1 : 2}`)
        .toSorted(),
    );
    expect(forwarded.at(-1)).toMatchObject({ kind: 'delete', eventId: derived });
    expect(forwarded).toHaveLength(3);
  });

  it('forwards the children of a parent that gets another id', async () => {
    const all = await started();
    const { append, forwarded, passed } = bound(all);
    const { derived, events } = aTrace();
    const [parent, own] = [spanEventId(PROJECT, 'trace', 'span'), randomUUID()];
    const children = events.map((event) => ({ ...event, parent_id: parent }));
    await append(['event', children[0]!], ['event', children[1]!]);
    await passed();
    forwarded.length = 0;
    await all.move(parent, { to: own, sessions: [derived] });
    await passed();
    expect(forwarded.map((one) => one.kind === 'event' && one.event.parent_id)).toEqual([own, own]);
  });

  it('forwards an event again that another reader relocates before it was sent', async () => {
    const all = await started();
    const { append, forwarded, passed } = bound(all);
    const { derived, named, events } = aTrace();
    const elsewhere = makeStoreBatchElsewhere();
    let isMoved = false;
    all.respond = async () => {
      if (isMoved) return;
      isMoved = true;
      const move = Buffer.from(JSON.stringify({ to: named }));
      await elsewhere({ kind: 'move', projectId: PROJECT, eventId: derived, fresh: false, value: move });
    };
    await append(['event', events[0]!]);
    await passed();
    const { event_id } = events[0]!;
    expect(forwarded.map(sessionOf)).toEqual([`${event_id} in ${derived} v0`, `${event_id} in ${named} v0`]);
  });

  it('waits until an event is stored, by any process', async () => {
    const all = await started({ storing: false });
    const { append, forwarded, passed } = bound(all);
    const event = eventOf();
    await append(['event', event]);
    expect(await all.log.position('forward')).toEqual(new Map([[0, 0]]));
    await all.startStoring();
    await passed();
    expect(forwarded).toMatchObject([{ version: 0, event: { event_id: event.event_id } }]);
  });

  it('stops while it waits for events to be stored', async () => {
    // The clock stands still, so that only the stop ends the wait.
    const now = Date.now() + 60_000;
    const all = await Forwarding.start({ storing: false, folder, now: () => now });
    await all.append(['event', eventOf()]);
    await waitFor(async () => /^assay_forward_lag_seconds [1-9]/m.test(await all.metrics.text()));
    await all.stop();
    expect(all.forwarded).toEqual([]);
  });

  it('retries while the control plane is unavailable, without blocking storage', async () => {
    const all = await started();
    const { append, forwarded, passed } = bound(all);
    all.respond = () => Promise.reject(unavailable('unreachable'));
    const event = eventOf();
    await append(['event', event]);
    await waitFor(() => Promise.resolve(all.attempts > 0));
    await append(['patch', event, { metrics: { score: 1 } }]);
    await waitFor(async () => (await store.events.find(PROJECT, event.event_id))?.metrics.score === 1);
    expect(forwarded).toEqual([]);
    all.respond = () => Promise.resolve();
    await passed();
    expect(forwarded.at(-1)).toMatchObject({ version: 1, event: { metrics: { score: 1 } } });
  });

  it('stores an event that cannot be redacted as a dead letter and does not forward it', async () => {
    const { append, forwarded, passed, log } = bound(await started());
    const deep = JSON.parse(`{"a":${'['.repeat(300)}"secret"${']'.repeat(300)}}`) as Event['inputs'];
    const [bad, good] = [eventOf({ inputs: deep }), eventOf()];
    await append(['event', eventOf()], ['event', bad], ['event', good]);
    await passed();
    expect(forwarded.map((one) => one.kind === 'event' && one.event.event_id)).toContain(good.event_id);
    expect(JSON.stringify(forwarded)).not.toContain(bad.event_id);
    const letters = await log.deadLetters(10);
    expect(letters.map(({ key, reason }) => [key, reason])).toEqual([
      [bad.event_id, { group: 'forward', errorClass: 'VALIDATION_ERROR', project: PROJECT, epoch: 0 }],
    ]);
  });

  it('stores an event that the control plane rejects as a dead letter and forwards the others', async () => {
    const all = await started();
    const { append, forwarded, passed, log } = bound(all);
    const [bad, good] = [eventOf(), eventOf()];
    const isBad = (one: ForwardedEvent) => one.kind === 'event' && one.event.event_id === bad.event_id;
    all.respond = (batch) =>
      batch.some(isBad) ? Promise.reject(new AppError('PAYLOAD_TOO_LARGE', 'no')) : Promise.resolve();
    await append(['event', bad], ['event', good]);
    await passed();
    expect(forwarded).toMatchObject([{ event: { event_id: good.event_id } }]);
    expect((await log.deadLetters(10)).map(({ key }) => key)).toEqual([bad.event_id]);
  });

  it.each([
    ['too large', 'PAYLOAD_TOO_LARGE'],
    ['invalid for the control plane', 'VALIDATION_ERROR'],
  ] as const)(
    'keeps forwarding for all while one event is %s, with one dead letter for all its updates',
    async (_name, code) => {
      const all = await started();
      const { append, forwarded, passed, log } = bound(all);
      const [bad, good] = [eventOf(), eventOf()];
      const isBad = (one: ForwardedEvent) => one.kind === 'event' && one.event.event_id === bad.event_id;
      all.respond = (batch) =>
        batch.some(isBad) ? Promise.reject(new AppError(code, 'no')) : Promise.resolve();
      await append(['event', bad], ['event', good]);
      await passed();
      for (let score = 0; score < 2; score++) {
        await append(...updatesOf(bad, 110), ['patch', good, { metrics: { score } }]);
        await passed();
      }
      expect(forwarded.at(-1)).toMatchObject({ event: { event_id: good.event_id, metrics: { score: 1 } } });
      expect(await all.metrics.text()).toContain('assay_reader_stopped{group="forward"} 0');
      expect((await log.deadLetters(1_000)).map(({ key }) => key)).toEqual([bad.event_id]);
      all.respond = () => Promise.resolve();
      await append(['patch', bad, { metrics: { n: -1 } }]);
      await passed();
      expect(forwarded.at(-1)).toMatchObject({ event: { event_id: bad.event_id, metrics: { n: -1 } } });
    },
  );

  it('replays a dead letter to forwarding only, with the newest state of the event', async () => {
    const all = await started();
    const { append, forwarded, passed, log } = bound(all);
    const event = eventOf();
    all.respond = (batch) =>
      batch.some(({ kind }) => kind === 'event')
        ? Promise.reject(new AppError('PAYLOAD_TOO_LARGE', 'no'))
        : Promise.resolve();
    await append(['event', event], ['patch', event, { metrics: { score: 1 } }]);
    await passed();
    await append(['patch', event, { metrics: { score: 2 } }]);
    await passed();
    const stored = await store.states.read([{ projectId: PROJECT, eventId: event.event_id }]);
    expect(await replayDeadLetters(log, 10)).toBe(1);
    await passed();
    expect((await log.deadLetters(10)).map(({ key }) => key)).toEqual([event.event_id]);
    all.respond = () => Promise.resolve();
    expect(await replayDeadLetters(log, 10)).toBe(1);
    await passed();
    expect(forwarded).toMatchObject([{ event: { event_id: event.event_id, metrics: { score: 2 } } }]);
    expect(await log.deadLetters(10)).toEqual([]);
    expect(await store.states.read([{ projectId: PROJECT, eventId: event.event_id }])).toEqual(stored);
  });

  it('counts forwarded records and reports its lag', async () => {
    const all = await started();
    await all.append(['event', eventOf()], ['event', eventOf()]);
    await all.passed();
    const text = await all.metrics.text();
    expect(text).toContain('assay_forward_records_total 2');
    expect(text).toContain('assay_forward_lag_seconds 0');
  });
});

/** A trace with the session derived from it, the session that it names later, and two events. */
function aTrace() {
  const trace = randomUUID().replaceAll('-', '');
  const [derived, named] = [traceSessionId(PROJECT, trace), randomUUID()];
  const events = [1, 2].map(() => eventOf({ session_id: derived, parent_id: derived }));
  const session = { event_id: derived, session_id: derived, parent_id: null, event_type: 'session' } as const;
  return { derived, named, events, temporary: eventOf({ ...session, origin: 'synthesised' }) };
}

function sessionOf(one: Forwarding['forwarded'][number]): string {
  return one.kind === 'event' ? `${one.event.event_id} in ${one.event.session_id} v${one.version}` : one.kind;
}

/** A store reader of another process, for single records of another partition. */
function makeStoreBatchElsewhere() {
  const known = new EventIdFilter(1 << 20);
  const storeBatch = makeStoreBatch({
    store,
    log: { append: () => Promise.reject(new Error('no records are appended')) },
    known,
    recent: new EventStateCache(1 << 20),
    versions: FIRST_EPOCH,
  });
  return (record: EventRecord) => {
    const consumed = { ...encodeRecord(record), partition: 1, offset: 0, appendedAt: Date.now() };
    return storeBatch([consumed], () => Promise.resolve());
  };
}

function updatesOf(event: Event, count: number): [RecordKind, Event, EventPatch][] {
  return Array.from({ length: count }, (_, n) => ['patch', event, { metrics: { n } }]);
}

function bound(forwarding: Forwarding) {
  const { forwarded, log } = forwarding;
  return { forwarded, log, append: forwarding.append.bind(forwarding), passed: () => forwarding.passed() };
}
