import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore, SessionPosition, SessionQuery } from '../../src/event-store.js';
import { sameSortKey } from '@assay/event-rows';
import { batchOf, NEW_YEAR, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';
import { newSession } from '../session-fixture.js';

const HOUR = 3_600_000;
/** Equal starts are frequent; the first and the last two are in the hours that hold all earlier and all later starts. */
const STARTS = [
  -1e12,
  900_000_000_000,
  NEW_YEAR,
  NEW_YEAR + 0.25,
  NEW_YEAR + 1,
  NEW_YEAR + HOUR - 1,
  NEW_YEAR + HOUR,
  NEW_YEAR + 400 * 24 * HOUR,
  4_200_000_000_000,
  4_200_000_000_001,
];
const SOURCES = ['web', 'batch'];

/** Pages of sessions, compared with a list of the sessions in memory. */
export function sessionPageContract(store: () => EventStore): void {
  const list = (projectId: string, query: SessionQuery) => store().sessions.list(projectId, query);

  it('returns a full page when most rows before it are old versions or deleted', async () => {
    const project_id = newProject();
    const sessions = Array.from({ length: 60 }, (_, n) =>
      newSession(project_id, { start_time: NEW_YEAR + n * (HOUR / 4) }),
    );
    for (let version = 1; version <= 4; version++) await writeEvents(store(), sessions, version * 100);
    const isKept = (_: Event, index: number) => index < 3 || index === 59;
    const deleted = sessions.filter((one, index) => !isKept(one, index));
    await store().writer.write(batchOf({ tombstones: deleted.map((one) => tombstoneOf(one, 1_000)) }));
    const wanted = sessions.filter(isKept).map(positionOf).reverse();
    expect(await list(project_id, { limit: 2 })).toStrictEqual(wanted.slice(0, 2));
    expect(await list(project_id, { limit: 2, after: wanted[0] })).toStrictEqual(wanted.slice(1, 3));
    expect(await list(project_id, { limit: 2, after: wanted[2] })).toStrictEqual(wanted.slice(3));
  });

  it('does not return a version that another one replaces, wherever the page starts', async () => {
    const project_id = newProject();
    const [early, late] = [NEW_YEAR, NEW_YEAR + 10].map((start_time) =>
      newSession(project_id, { start_time }),
    ) as [Event, Event];
    const moved = { ...early, start_time: NEW_YEAR + 20, source: 'moved' };
    await writeEvents(store(), [early, late], 1);
    await writeEvents(store(), [moved], 10);
    const cursor = positionOf(late);
    expect(await list(project_id, { limit: 5 })).toStrictEqual([positionOf(moved), cursor]);
    expect(await list(project_id, { limit: 5, after: cursor })).toStrictEqual([]);
    expect(await list(project_id, { limit: 5, to: NEW_YEAR + 5 })).toStrictEqual([]);
    expect(await list(project_id, { limit: 5, source: early.source })).toStrictEqual([cursor]);
    expect(await list(project_id, { limit: 5, from: NEW_YEAR + 15 })).toStrictEqual([positionOf(moved)]);
  });

  it('agrees with a list in memory, over equal starts, and updates, moves and deletes between pages', async () => {
    const seed = Date.now() % 1_000_000;
    const sessions = randomSessions(store, seed);
    const { random, whole, visible } = sessions;
    await sessions.change(48);
    for (let round = 0; round < 3; round++) {
      const query = {
        limit: 2 + whole(7),
        ...(random() < 0.3 && { source: SOURCES[whole(2)] }),
        ...(random() < 0.3 && { from: STARTS[whole(4)] }),
        ...(random() < 0.3 && { to: STARTS[4 + whole(5)] }),
      };
      for (let after: SessionPosition | undefined, page = 0; page < 12; page++) {
        const found = await list(sessions.projectId, { ...query, after });
        const wanted = naivePage([...visible.values()], { ...query, after });
        expect({ seed, query, after, found }).toStrictEqual({ seed, query, after, found: wanted });
        after = found.at(-1);
        if (after === undefined) break;
        if (random() < 0.3) await sessions.change(6);
      }
    }
  });
}

/** Writes random sessions of a project and remembers what is visible. */
function randomSessions(store: () => EventStore, seed: number) {
  const random = randomFrom(seed);
  const whole = (below: number) => Math.floor(random() * below);
  const projectId = newProject();
  const visible = new Map<string, Event>();
  let version = 1;
  const fields = () => ({
    start_time: STARTS[whole(STARTS.length)] ?? NEW_YEAR,
    source: SOURCES[whole(2)] ?? 'web',
  });

  /** Of some sessions there are only events: they are not listed before they have a row of their own. */
  function create(): Change {
    const session = newSession(projectId, { ...fields(), origin: random() < 0.5 ? 'sent' : 'synthesised' });
    const event = sampleEvent({ ...session, event_id: randomUUID(), event_type: 'model' });
    if (random() < 0.1) return { rows: [event] };
    visible.set(session.event_id, session);
    return { rows: [session, event] };
  }

  /** An update may move the row to another hour, and then removes the one at its former location. */
  function update(session: Event): Change {
    const updated = { ...session, ...fields() };
    visible.set(session.event_id, updated);
    return { rows: [updated], ...(!sameSortKey(session, updated) && { removed: session }) };
  }

  function remove(session: Event): Change {
    visible.delete(session.event_id);
    return { rows: [], removed: session };
  }

  function changeOne(): Change {
    const session = [...visible.values()][whole(visible.size)];
    const kind = random();
    if (session === undefined || kind < 0.4) return create();
    return kind < 0.85 ? update(session) : remove(session);
  }

  /** Writes changes in batches, so that there are several parts. Each change has higher versions than those before it. */
  async function change(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 6) {
      const changes = Array.from({ length: Math.min(left, 6) }, () => {
        const { rows, removed } = changeOne();
        return {
          tombstones: removed === undefined ? [] : [tombstoneOf(removed, version++)],
          rows: rows.map((row) => rowOf(row, version++)),
        };
      });
      const [rows, tombstones] = [
        changes.flatMap((one) => one.rows),
        changes.flatMap((one) => one.tombstones),
      ];
      await store().writer.write(batchOf({ rows, tombstones }));
    }
  }

  return { random, whole, projectId, visible, change };
}

interface Change {
  readonly rows: readonly Event[];
  /** What was at the location that a tombstone removes. */
  readonly removed?: Event;
}

function naivePage(
  sessions: readonly Event[],
  { from, to, source, after, limit }: SessionQuery,
): SessionPosition[] {
  return sessions
    .filter(
      (one) => (from === undefined || one.start_time >= from) && (to === undefined || one.start_time <= to),
    )
    .filter((one) => source === undefined || one.source === source)
    .map(positionOf)
    .filter((one) => after === undefined || compare(after, one) < 0)
    .sort(compare)
    .slice(0, limit);
}

/** Negative if the first position precedes the second one: newest start first, then by id, descending. */
function compare(one: SessionPosition, other: SessionPosition): number {
  return (
    other.startTime - one.startTime ||
    (one.sessionId < other.sessionId ? 1 : one.sessionId > other.sessionId ? -1 : 0)
  );
}

function positionOf({ start_time: startTime, session_id: sessionId }: Event): SessionPosition {
  return { startTime, sessionId };
}

function tombstoneOf(event: Event, version: number) {
  return {
    projectId: event.project_id,
    eventId: event.event_id,
    sessionId: event.session_id,
    startTime: event.start_time,
    version,
  };
}
