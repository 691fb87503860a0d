import { randomUUID } from 'node:crypto';
import type { ForwardedSession } from '@assay/control-plane-client';
import type { Event } from '@assay/domain';
import { unavailable } from '@assay/errors';
import {
  eventOf,
  Forwarding,
  type ForwardingOptions,
  type LoggedRecord,
  openStoreFolder,
  PROJECT,
  type StoreFolder,
  waitFor,
} from '../../test/forwarding-fixture.js';
import { toSessionSummary } from '../shared/session-summary.js';

let folder: StoreFolder;
beforeAll(async () => {
  folder = await openStoreFolder();
});
afterAll(() => folder.remove());

const sessionEvent = (session_id: string, fields: Partial<Event> = {}): Event =>
  eventOf({ event_id: session_id, session_id, event_type: 'session', parent_id: null, ...fields });

/** Keeps the newest state of each session, as the control plane does. */
function newestOf(forwarded: readonly ForwardedSession[]): Map<string, ForwardedSession> {
  const newest = new Map<string, ForwardedSession>();
  for (const one of forwarded) {
    const known = newest.get(one.summary.session_id);
    if (!known || BigInt(known.watermark) <= BigInt(one.watermark)) newest.set(one.summary.session_id, one);
  }
  return newest;
}

/** Returns the summaries that the store has now, by session. */
async function stored(sessionIds: readonly string[]) {
  const keys = sessionIds.map((eventId) => ({ projectId: PROJECT, eventId }));
  const summaries = await folder.store.sessions.summaries(keys);
  return new Map(
    [...summaries].map(([key, summary]) => {
      const id = key.slice(key.lastIndexOf('/') + 1);
      return [id, { watermark: summary.watermark, summary: toSessionSummary(id, summary) }];
    }),
  );
}

describe('sessions that are forwarded', () => {
  let forwarding: Forwarding | undefined;
  const started = async (options: Partial<ForwardingOptions> = {}) =>
    (forwarding = await Forwarding.start({ storing: true, folder, ...options }));
  afterEach(() => forwarding?.stop());

  /** Appends batches, each after the one before was forwarded. */
  async function forwardAll(all: Forwarding, ...batches: LoggedRecord[][]): Promise<void> {
    for (const batch of batches) {
      await all.append(...batch);
      await all.passed();
    }
  }
  const summariesOf = (all: Forwarding, session: string) => newestOf(all.sessions).get(session)?.summary;

  it('are summaries of all their events, with updates and deletes, and without any input or output', async () => {
    const all = await started();
    const session_id = randomUUID();
    const [one, other] = [
      eventOf({ session_id, event_name: 'ask' }),
      eventOf({ session_id, event_name: 'look' }),
    ];
    const session = sessionEvent(session_id, { event_name: 'chat', outputs: { text: 'secret' } });
    await forwardAll(all, [
      ['event', session],
      ['event', one],
      ['event', other],
    ]);
    expect(summariesOf(all, session_id)).toMatchObject({ session_name: 'chat', num_events: 2, metrics: [] });
    await forwardAll(
      all,
      [['patch', one, { metrics: { score: 0.5 }, outputs: { text: 'secret' } }]],
      [['delete', other]],
    );
    expect(summariesOf(all, session_id)).toMatchObject({
      num_events: 1,
      event_names: [{ event_type: 'model', event_name: 'ask', count: 1 }],
      metrics: [{ name: 'score', count: 1, sum: 0.5, min: 0.5, max: 0.5 }],
    });
    expect(JSON.stringify(all.sessions)).not.toContain('secret');
  });

  it('are not forwarded after they were deleted; the delete names their events', async () => {
    const all = await started();
    const session_id = randomUUID();
    const [session, member, late] = [
      sessionEvent(session_id),
      eventOf({ session_id }),
      eventOf({ session_id }),
    ];
    await forwardAll(
      all,
      [
        ['event', session],
        ['event', member],
      ],
      [['delete', session]],
      [['event', late]],
    );
    const deletes = all.forwarded.filter(({ kind }) => kind === 'delete');
    expect(deletes).toEqual([
      { kind: 'delete', version: 2, projectId: PROJECT, eventId: session_id, memberIds: [member.event_id] },
    ]);
    expect(summariesOf(all, session_id)).toMatchObject({ num_events: 0 });
  });

  it('are forwarded when only events that no queue takes change', async () => {
    const all = await started();
    all.queues = [[{ field: 'event_name', operator: 'is', type: 'string', value: 'mine' }]];
    const session_id = randomUUID();
    const [mine, other] = [eventOf({ session_id, event_name: 'mine' }), eventOf({ session_id })];
    await forwardAll(
      all,
      [
        ['event', mine],
        ['event', other],
      ],
      [['patch', other, { metrics: { a: 1 } }]],
    );
    expect(all.forwarded).toMatchObject([{ event: { event_id: mine.event_id, inputs: { q: '' } } }]);
    expect(summariesOf(all, session_id)).toMatchObject({ num_events: 2, metrics: [{ name: 'a' }] });
  });

  it.each([true, false])(
    'follow an event that moves to another session, with the cache of the store reader: %s',
    async (cached) => {
      const all = await started({ cached });
      const [from, to] = [randomUUID(), randomUUID()];
      const event = eventOf({ session_id: from });
      await forwardAll(all, [['event', event]], [['event', { ...event, session_id: to }]]);
      expect(summariesOf(all, from)).toMatchObject({ num_events: 0 });
      expect(summariesOf(all, to)).toMatchObject({ num_events: 1 });
    },
  );

  it('are summarised at intervals when they are large, and exactly in the end', async () => {
    const limits = { minRows: 5, intervalMs: () => 700, maxRecords: 100_000 };
    const all = await started({ limits });
    const session_id = randomUUID();
    await forwardAll(
      all,
      Array.from({ length: 5 }, () => ['event', eventOf({ session_id })]),
    );
    const before = all.sessions.length;
    const more = Array.from({ length: 12 }, (): LoggedRecord[] => [['event', eventOf({ session_id })]]);
    const startedAt = Date.now();
    for (const batch of more) await all.append(...batch);
    await all.passed();
    await waitFor(() => Promise.resolve(summariesOf(all, session_id)?.num_events === 17));
    expect(all.sessions.length - before).toBeLessThanOrEqual(2 + (Date.now() - startedAt) / 700);
  });

  it('are summarised when the log has advanced too far for them to be deferred', async () => {
    const limits = { minRows: 2, intervalMs: () => 3_600_000, maxRecords: 10 };
    const all = await started({ limits });
    const session_id = randomUUID();
    const events = Array.from({ length: 3 }, () => eventOf({ session_id }));
    await forwardAll(
      all,
      [
        ['event', events[0]!],
        ['event', events[1]!],
      ],
      [['event', events[2]!]],
    );
    expect(summariesOf(all, session_id)).toMatchObject({ num_events: 2 });
    await forwardAll(
      all,
      Array.from({ length: 11 }, () => ['event', eventOf()]),
    );
    expect(summariesOf(all, session_id)).toMatchObject({ num_events: 3 });
  });

  it('are summarised by the next reader if they were deferred when the process ended', async () => {
    const limits = { minRows: 2, intervalMs: () => 3_600_000, maxRecords: 100 };
    const logName = randomUUID();
    const first = await started({ limits, logName });
    const session_id = randomUUID();
    const events = Array.from({ length: 3 }, () => eventOf({ session_id }));
    await forwardAll(
      first,
      [
        ['event', events[0]!],
        ['event', events[1]!],
      ],
      [['event', events[2]!]],
    );
    first.respond = () => Promise.reject(unavailable('the process ends'));
    await first.stop();
    expect(summariesOf(first, session_id)).toMatchObject({ num_events: 2 });
    const second = await started({ limits, logName });
    await waitFor(() => Promise.resolve(summariesOf(second, session_id)?.num_events === 3));
  });

  it('are what the store has in the end, whatever happens to their events, in any order of arrival', async () => {
    const seed = Date.now() % 2 ** 31;
    process.stdout.write(`forwarded sessions, seed ${seed}\n`);
    const random = randomFrom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const all = await started({ limits: { minRows: 8, intervalMs: () => 300, maxRecords: 40 } });
    const sessions = Array.from({ length: 6 }, (_, n) =>
      n < 3 ? randomUUID() : randomUUID().replace(/^(.{14})./, '$15'),
    );
    const events = Array.from({ length: 25 }, () => randomUUID());
    const record = (): LoggedRecord => {
      const event = eventOf({
        event_id: pick(events),
        session_id: pick(sessions),
        event_name: pick(['a', 'b']),
      });
      const kind = random();
      if (kind < 0.55) return ['event', event];
      if (kind < 0.7) return ['patch', event, { metrics: { [pick(['x', 'y'])]: random() } }];
      if (kind < 0.78)
        return ['event', sessionEvent(event.session_id, { origin: pick(['sent', 'synthesised']) })];
      if (kind < 0.94)
        return ['delete', { ...event, event_id: pick([...events.slice(0, 5), pick(sessions.slice(2, 4))]) }];
      return ['move', { ...event, event_id: pick(sessions.slice(3)) }, { to: pick(sessions) }];
    };
    for (let round = 0; round < 18; round++) {
      await all.append(...Array.from({ length: 1 + Math.floor(random() * 12) }, record));
      if (random() < 0.4) await all.passed();
    }
    await all.passed();
    const wanted = await stored(sessions);
    const deleted = new Set(all.forwarded.flatMap((one) => (one.kind === 'delete' ? one.eventId : [])));
    for (const id of deleted) wanted.delete(id);
    // Late deliveries, and several of each: the newest state counts.
    const newest = () => newestOf([...all.sessions, ...all.sessions].sort(() => random() - 0.5));
    const states = () =>
      new Map(
        [...newest()].flatMap(([id, { watermark, summary }]) =>
          deleted.has(id) ? [] : [[id, { watermark, summary }] as const],
        ),
      );
    await waitFor(() =>
      Promise.resolve([...wanted].every(([id, { watermark }]) => states().get(id)?.watermark === watermark)),
    );
    expect(states()).toEqual(wanted);
  });
});

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
