import { randomUUID } from 'node:crypto';
import { runResult, type Event, type JsonObject } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import { randomFrom } from '@assay/event-rows/test/random-fixture';
import { aRule, aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { CALLER } from '../../test/stored-events.js';
import { readRunSessions } from './load-runs.js';

const START = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const { projectId } = CALLER;
/** A condition that all events satisfy. With one, events are read as those of a large run are. */
const ALWAYS = [{ field: 'event_type', operator: 'is not', value: 'none', type: 'string' }];

/** Runs whose events change, move and disappear. */
describe('runs of random events', () => {
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
  });
  afterAll(() => served.stop());

  const textOf = async (path: string, body?: object) => {
    const request = body && { method: 'POST', body: JSON.stringify(body) };
    const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' };
    const response = await fetch(`${served.baseUrl}/v1/runs/${path}`, { headers, ...request });
    expect(response.status).toBe(200);
    return response.text();
  };

  it('have the same responses whichever way they are read', async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    for (let round = 0; round < 6; round++) {
      const [one, other] = await addRuns(random);
      // Composite metrics are conditions, with which no run is read as a small one is.
      served.metrics.splice(0, served.metrics.length, aRule('exact', { return_type: 'boolean' }));
      if (round % 2 === 1) served.metrics.push(composite('both', 'answer'), composite('of tools', 'tool'));
      const always = `filters=${encodeURIComponent(JSON.stringify(ALWAYS))}`;
      const result = await textOf(`${one.run_id}/result`);
      expect({ seed, result }).toEqual({ seed, result: await resultOf(one.run_id) });
      for (const path of [
        `${one.run_id}/result`,
        `${one.run_id}/compare/${other.run_id}`,
        `${one.run_id}/metrics`,
      ])
        expect({ seed, path, text: await textOf(`${path}?${always}`) }).toEqual({
          seed,
          path,
          text: await textOf(path),
        });
      const datapoints = `${one.run_id}/compare/${other.run_id}/datapoints`;
      expect({ seed, text: await textOf(datapoints, { filters: ALWAYS }) }).toEqual({
        ...{ seed, text: await textOf(datapoints, {}) },
      });
    }
  });

  /** The result of a run by its definition: of its whole events, and the ground truths of all its sessions. */
  async function resultOf(runId: string): Promise<string> {
    const run = served.runs.get(runId)!;
    const metrics = new Map(served.metrics.map((rule) => [rule.name, rule]));
    const loaded = { projectId, runs: [run], metrics };
    const [found] = await readRunSessions(served, loaded, { filters: [] }, {});
    const { sessions, rules, absentSessions } = found!;
    const sessionIds = sessions.map(({ sessionId }) => sessionId);
    const query = { sessionIds, names: ['exact', 'label'] };
    const groundTruths = await served.store.aggregates.groundTruths(projectId, query);
    const input = { sessions, rules, absentSessions, groundTruths };
    const result = runResult({ ...input, status: 'completed', aggregateFunction: 'average' });
    return JSON.stringify({ ...result, run_object: run });
  }

  const composite = (name: string, event_name: string) =>
    aRule(name, {
      ...{ type: 'COMPOSITE', criteria: 'weighted average' },
      child_metrics: ['score', 'exact'].map((child) => ({ name: child, weight: 1 })),
      filters: {
        filterArray: [{ field: 'event_name', operator: 'is', value: event_name, type: 'string' }],
      },
    });

  /** Stores two runs: twelve sessions whose events name either, another run or none, and are changed, moved and deleted. */
  async function addRuns(random: () => number) {
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
    const sessionIds = Array.from({ length: 12 }, () => randomUUID());
    const runs = [0, 1].map(() => aRun({ event_ids: [pick(sessionIds), pick(sessionIds), randomUUID()] }));
    const runIds = [...runs.map(({ run_id }) => run_id), randomUUID()];
    for (const run of runs) served.runs.set(run.run_id, run);
    const metadata = (): JsonObject => ({
      ...(random() < 0.5 && { run_id: pick(runIds) }),
      ...(random() < 0.6 && { datapoint_id: `d${Math.floor(random() * 6)}` }),
    });
    const metrics = (): JsonObject =>
      pick<JsonObject>([
        {},
        { score: pick([0, 0.25, 1]) },
        { score: random(), exact: pick([true, false]) },
        { label: pick(['a', 'b']), exact: true, note_explanation: 'x' },
      ]);
    const change = (ids: Pick<Event, 'event_id' | 'session_id'>): Partial<Event> => ({
      ...ids,
      event_name: pick(['answer', 'tool', 'find']),
      event_type: ids.event_id === ids.session_id ? 'session' : pick(['model', 'tool', 'chain']),
      start_time: START + Math.floor(random() * 5) * HOUR_MS,
      error: random() < 0.1 ? 'failed' : null,
      feedback: random() < 0.2 ? { ground_truth: { exact: pick([true, false]), label: 'a' } } : {},
      metadata: metadata(),
      metrics: metrics(),
    });
    const own = sessionIds.filter(() => random() < 0.7);
    const added = await served.add([
      ...own.map((id) => change({ event_id: id, session_id: id })),
      ...Array.from({ length: 60 }, () => change({ event_id: randomUUID(), session_id: pick(sessionIds) })),
    ]);
    const changed = added.filter(() => random() < 0.4);
    const rows = changed.map((event, index) => {
      const isMoved = event.event_id !== event.session_id && random() < 0.5;
      const ids = { event_id: event.event_id, session_id: isMoved ? pick(sessionIds) : event.session_id };
      const newest = { ...event, ...change(ids), ...(!isMoved && { start_time: event.start_time }) };
      return { bytes: encodeEventRow(newest), version: 1_000 + index };
    });
    const tombstones = added
      .filter((event) => !changed.includes(event) && random() < 0.1)
      .map((event, index) => ({
        ...{ projectId, eventId: event.event_id, sessionId: event.session_id },
        ...{ startTime: event.start_time, version: 2_000 + index },
      }));
    await served.store.writer.write({ rows, tombstones, changes: [], token: randomUUID() });
    return runs as [(typeof runs)[0], (typeof runs)[0]];
  }
});
