import { randomUUID } from 'node:crypto';
import { acceptFilters, NEWEST_FIRST, sessionsOfRun, type Event } from '@assay/domain';
import type { RunMembers, EventStore } from '../../src/event-store.js';
import { NEW_YEAR, newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';
import { newSession } from '../session-fixture.js';

const HOUR = 3_600_000;

/** Which events belong to a run: the same in every read. */
export function runMembersContract(store: () => EventStore): void {
  const [run, other] = [randomUUID(), randomUUID()];

  it('are the same events in searches, exports, pages, charts, lists of sessions and results', async () => {
    const seed = Date.now() % 1_000_000;
    const { projectId, sessions } = await randomRuns(seed);
    for (const runId of [run, other, randomUUID()]) {
      const members = { runId, sessionIds: [sessions[0]!, sessions[5]!, randomUUID(), 'x'] };
      const stored = await store().aggregates.runEvents(projectId, { runs: [members], filters: [] });
      const found = sessionsOfRun(stored, members);
      const ids = found.flatMap(({ events }) => events.map(({ eventId }) => eventId)).sort();
      expect({ seed, runId, ...(await readAll(projectId, members)) }).toEqual({
        ...{ seed, runId, search: ids, start: ids, rows: ids, chart: ids.length },
        sessions: found.map(({ sessionId }) => sessionId).sort(),
      });
    }
  });

  it('are those that also satisfy the filters and start in the range', async () => {
    const { projectId, sessions } = await randomRuns(7);
    const runs = { runId: run, sessionIds: sessions };
    const [all, some] = [await readAll(projectId, runs), await readAll(projectId, runs, { n: 3 })];
    expect(some.search.length).toBeGreaterThan(0);
    expect(some.search.length).toBeLessThan(all.search.length);
    expect(some.rows).toEqual(some.search);
    expect(some.chart).toBe(some.search.length);
    expect((await readAll(projectId, runs, { to: NEW_YEAR - 1 })).search).toEqual([]);
  });

  it('are of any run without a name', async () => {
    const projectId = newProject();
    const [listed, naming] = [
      newSession(projectId, {}),
      newSession(projectId, { metadata: { run_id: run } }),
    ];
    const events = [
      ...[listed, naming, newSession(projectId, {})],
      sampleEvent({ project_id: projectId, session_id: naming.session_id }),
      sampleEvent({ project_id: projectId, session_id: listed.session_id }),
    ];
    await writeEvents(store(), events);
    const found = await readAll(projectId, { sessionIds: [listed.session_id] });
    expect(found.search).toHaveLength(4);
    expect(found.sessions).toEqual([listed.session_id, naming.session_id].sort());
  });

  /** Events that name a run themselves, by their session, or neither; some sessions have no event of their own. */
  async function randomRuns(seed: number) {
    const random = randomFrom(seed);
    const projectId = newProject();
    const pick = () => [run, other, undefined][Math.floor(random() * 3)];
    const metadata = (n: number) => {
      const runId = pick();
      return { n, ...(runId !== undefined && { run_id: runId }) };
    };
    const events: Event[] = [];
    const sessions = Array.from({ length: 12 }, () => randomUUID());
    for (const session_id of sessions) {
      const start_time = NEW_YEAR + Math.floor(random() * 50) * (HOUR / 4);
      const own = { project_id: projectId, session_id, start_time };
      if (random() < 0.8)
        events.push(newSession(projectId, { ...own, event_id: session_id, metadata: metadata(0) }));
      for (let n = 1; n <= 4; n++)
        events.push(sampleEvent({ ...own, start_time: start_time + n * HOUR, metadata: metadata(n) }));
    }
    await writeEvents(store(), events);
    return { projectId, sessions };
  }

  async function readAll(projectId: string, runs: RunMembers, { n, to }: { n?: number; to?: number } = {}) {
    const filters = n === undefined ? [] : acceptFilters([{ field: 'metadata.n', value: n }], 'lenient');
    const query = queryOf({ filters, runs, ...(to !== undefined && { to }) });
    const page = { sort: NEWEST_FIRST, previewChars: 0, payloadPaths: [], count: 'exact' } as const;
    const [from, last] = [NEW_YEAR, NEW_YEAR + 100 * HOUR];
    const chart = await store().aggregates.chart(projectId, {
      ...{ filters, runs, from, to: to ?? last, starts: [from], maxGroups: 1 },
      value: { field: 'event_id', aggregation: { kind: 'count' } },
    });
    const search = await store().events.search(projectId, query);
    const rows = await store().events.rows(projectId, { ...query, ...page, limit: 500 });
    expect([search.total, rows.count?.value]).toEqual([search.events.length, rows.rows.length]);
    const sessions = await store().sessions.list(projectId, { runs, limit: 100 });
    const listed = sessions.map(({ sessionId }) => sessionId);
    const named = await withoutRows(projectId, runs, listed);
    return {
      search: idsOf(search.events),
      start: idsOf((await store().events.startPage(projectId, query)).events),
      rows: idsOf(rows.rows.map(({ event }) => event)),
      chart: chart.total,
      sessions: [...listed, ...named].sort(),
    };
  }

  /** Sessions with events of the runs that have no event of their own: they are not listed. */
  async function withoutRows(projectId: string, runs: RunMembers, listed: readonly string[]) {
    const { events } = await store().events.search(projectId, queryOf({ runs }));
    const all = [...new Set(events.map(({ session_id: id }) => id))];
    const rows = await store().sessions.rows(projectId, all);
    const visible = new Set(rows.map(({ session_id: id }) => id));
    return all.filter((id) => !listed.includes(id) && !visible.has(id));
  }
}

function idsOf(events: readonly Event[]): string[] {
  return events.map(({ event_id: id }) => id).sort();
}
