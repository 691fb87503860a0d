import { randomUUID } from 'node:crypto';
import type { Event, RunLinks } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { batchOf, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

/** The smallest number that every supported engine reads as it is. */
const TINY = 2.2250738585072014e-308;

/** Averages of the scores of runs. */
export function runScoresContract(store: () => EventStore): void {
  const [run, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const one: RunLinks = { runId: run, sessionIds: [] };

  async function written(fields: readonly Partial<Event>[]): Promise<{ projectId: string; events: Event[] }> {
    const projectId = newProject();
    const events = fields.map((each) =>
      sampleEvent({ project_id: projectId, session_id: randomUUID(), ...each }),
    );
    await writeEvents(store(), events);
    return { projectId, events };
  }
  const read = async (projectId: string, runs: readonly RunLinks[] = [one]) =>
    (await store().aggregates.runScores(projectId, { runs })).map(
      ({ runId, name, average, scores }) => [runId, name, average, scores] as const,
    );

  it('are of numbers and booleans, whatever their names', async () => {
    const metadata = { run_id: run };
    const { projectId } = await written([
      { metadata, metrics: { accuracy: 1, accuracy_explanation: 1, 'a.b': true, __proto__x: 2, note: '3' } },
      { metadata, metrics: { accuracy: 0.5, 'a.b': false, list: [1], object: { a: 1 }, none: null } },
      { metadata, metrics: {} },
    ]);
    expect(await read(projectId)).toEqual([
      [run, '__proto__x', 2, 1],
      [run, 'a.b', 0.5, 2],
      [run, 'accuracy', 0.75, 2],
      [run, 'accuracy_explanation', 1, 1],
    ]);
    expect(await read(projectId, [])).toEqual([]);
    expect(await read(newProject())).toEqual([]);
  });

  it('have the average of equal decimals, of few and of many', async () => {
    const metadata = { run_id: run };
    const few = Array.from({ length: 3 }, () => ({ metadata, metrics: { few: 0.7, mixed: true } }));
    const many = Array.from({ length: 1_000 }, (_, i) => ({
      metadata,
      metrics: { many: 0.7, third: (i % 3) / 2 },
    }));
    const { projectId } = await written([...few, ...many]);
    expect(await read(projectId)).toEqual([
      [run, 'few', 0.7, 3],
      [run, 'many', 0.7, 1_000],
      [run, 'mixed', 1, 3],
      [run, 'third', 0.4995, 1_000],
    ]);
  });

  it('are averaged when their sum is beyond the range of a double', async () => {
    const metadata = { run_id: run };
    const { projectId } = await written(
      [1.7e308, 1.7e308, Number.MAX_VALUE, true].map((high) => ({
        metadata,
        metrics: { high, low: high === true ? true : -1.7e308, most: Number.MAX_VALUE, tiny: TINY },
      })),
    );
    const scores = await store().aggregates.runScores(projectId, { runs: [one] });
    const averages = Object.fromEntries(scores.map(({ name, average }) => [name, average]));
    expect(averages['high']! / 1e308).toBeCloseTo((1.7 * 2 + Number.MAX_VALUE / 1e308) / 4);
    expect(averages['low']! / 1e308).toBeCloseTo((-1.7 * 3) / 4);
    expect(averages['most']! / Number.MAX_VALUE).toBeCloseTo(1);
    expect(averages['tiny']).toBe(TINY);
    const high = scores.find(({ name }) => name === 'high');
    const numbers = high?.numbers ?? { average: 0, scores: 0 };
    expect([numbers.average / 1e308, numbers.scores]).toEqual([
      expect.closeTo((1.7 * 2 + Number.MAX_VALUE / 1e308) / 3),
      3,
    ]);
    expect(high?.booleans).toEqual({ average: 1, scores: 1 });
  });

  it('are averaged by type too, for metrics of which one type counts', async () => {
    const metadata = { run_id: run };
    const { projectId } = await written(
      [4, true, 1, false, true].map((stars) => ({ metadata, metrics: { stars, b: true } })),
    );
    expect(await store().aggregates.runScores(projectId, { runs: [one] })).toEqual([
      {
        ...{ runId: run, name: 'b', average: 1, scores: 5 },
        ...{ numbers: { average: 0, scores: 0 }, booleans: { average: 1, scores: 5 } },
      },
      {
        ...{ runId: run, name: 'stars', average: 1.4, scores: 5 },
        ...{ numbers: { average: 2.5, scores: 2 }, booleans: { average: 2 / 3, scores: 3 } },
      },
    ]);
  });

  it('are of events that name a run, whose session names it, or whose session is listed, each once', async () => {
    const [named, listed] = [randomUUID(), randomUUID()];
    const score = (a: number): Partial<Event> => ({ metrics: { a } });
    const { projectId } = await written([
      { ...score(1), metadata: { run_id: run } },
      { ...score(2), event_id: named, session_id: named, metadata: { run_id: run } },
      { ...score(4), session_id: named },
      { ...score(8), session_id: named, metadata: { run_id: other } },
      { ...score(16), session_id: listed },
      { ...score(32), session_id: listed, metadata: { run_id: other } },
      { ...score(64) },
      { ...score(128), metadata: { run_id: randomUUID() } },
    ]);
    const sums = async (runs: readonly RunLinks[]) =>
      (await read(projectId, runs)).map(([id, , average, scores]) => [id, average * scores]);
    const sessionIds = [listed, named, listed, 'not an id', randomUUID()];
    expect(await sums([one])).toEqual([[run, 7]]);
    expect(await sums([{ runId: run, sessionIds }])).toEqual([[run, 63]]);
    expect(await sums([one, { runId: other, sessionIds: [listed] }])).toEqual([
      [run, 7],
      [other, 56],
    ]);
  });

  it('are of the newest version of an event, and of no deleted one', async () => {
    const metadata = { run_id: run };
    const { projectId, events } = await written([
      { metadata, metrics: { a: 1 } },
      { metadata, metrics: { a: 5 } },
    ]);
    const [updated, deleted] = events as [Event, Event];
    const { event_id: eventId, session_id: sessionId, start_time: startTime } = deleted;
    const tombstone = { projectId, eventId, sessionId, startTime, version: 50 };
    await store().writer.write(
      batchOf({ rows: [rowOf({ ...updated, metrics: { a: 2 } }, 51)], tombstones: [tombstone] }),
    );
    expect(await read(projectId)).toEqual([[run, 'a', 2, 1]]);
    await store().writer.write(batchOf({ rows: [rowOf({ ...updated, metadata: { run_id: other } }, 52)] }));
    expect(await read(projectId)).toEqual([]);
  });

  it('have at most 200 names of a run', async () => {
    const metrics = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index]));
    const { projectId } = await written([{ metadata: { run_id: run }, metrics }]);
    expect(await read(projectId)).toHaveLength(200);
  });
}
