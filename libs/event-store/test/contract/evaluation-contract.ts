import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pendingEvaluation } from '@assay/domain';
import type { EvaluationRow, EventStore } from '../../src/event-store.js';
import { newProject, sampleEvent, writeEvents } from '../event-fixture.js';

/** Evaluations of events. */
export function evaluationContract(store: () => EventStore): void {
  const rowFor = (fields: Partial<EvaluationRow> = {}): EvaluationRow => ({
    ...pendingEvaluation(
      { id: 'metric', version: 'v1', name: 'accuracy' },
      { fingerprint: 'f', trigger: 2 ** 50 + 7, decidedAt: 1_790_000_000_123 },
    ),
    projectId: newProject(),
    eventId: randomUUID(),
    logPartition: 3,
    ...fields,
  });
  const write = (...rows: EvaluationRow[]) => store().writer.writeEvaluations(rows, randomUUID());
  const scored = (row: EvaluationRow, value: number): EvaluationRow => ({
    ...row,
    decision: 'scored',
    value,
    explanation: 'a "reason" \u{1F600}\n',
    durationMs: 1.5,
    cost: 0.25,
    promptTokens: 10,
    completionTokens: 2,
  });
  const read = async (row: EvaluationRow) =>
    (await store().states.evaluations([row])).get(`${row.projectId}/${row.eventId}`);
  const stored = ({ projectId: _p, eventId: _e, logPartition: _l, ...evaluation }: EvaluationRow) =>
    evaluation;

  it('returns what was written, and nothing of other events', async () => {
    const [row, other] = [rowFor(), rowFor()];
    const complete = scored(row, 0.5);
    await write(row, other);
    await write(complete);
    expect(await read(row)).toEqual([stored(complete)]);
    expect(await read({ ...row, projectId: other.projectId })).toBeUndefined();
    expect((await store().states.evaluations([])).size).toBe(0);
  });

  it('returns to decide the newest 1,000 of an event, without explanations', async () => {
    const row = rowFor();
    const rows = Array.from({ length: 1_001 }, (_, n) =>
      scored({ ...row, metricId: `m${n}`, trigger: row.trigger + n }, n),
    );
    const other = scored(rowFor({ projectId: row.projectId }), 1);
    await write(...rows, other);
    const found = await store().states.evaluations([row, other], 'toDecide');
    const [ofEvent = [], ofOther] = [row, other].map((one) => found.get(`${one.projectId}/${one.eventId}`));
    expect(new Set(ofEvent.map(({ metricId }) => metricId))).toEqual(
      new Set(rows.slice(1).map(({ metricId }) => metricId)),
    );
    expect(ofOther).toEqual([{ ...stored(other), explanation: '' }]);
    expect(await read(row)).toHaveLength(1_001);
  });

  it('returns the job that has asked for an evaluation, and none for records of earlier releases', async () => {
    const { jobId: _none, ...earlier } = rowFor();
    const rows = [rowFor({ jobId: 'j1' }), rowFor(), earlier];
    await write(...rows);
    for (const row of rows) expect(await read(row)).toEqual([stored(row)]);
  });

  it('keeps the newest state in any order of writes, and one row for each version of a metric', async () => {
    const row = rowFor();
    const states = [
      row,
      { ...row, attempts: 1 },
      scored(row, 1),
      scored({ ...row, trigger: row.trigger + 1 }, 2),
    ];
    for (const state of [3, 0, 2, 1, 3]) await write(states[state]!);
    expect(await read(row)).toEqual([stored(states[3]!)]);
    const next = { ...row, metricVersion: 'v2' };
    await write(next);
    expect(await read(row)).toEqual([stored(states[3]!), stored(next)]);
  });

  it('lists evaluations that wait, by partition, oldest first, and a share of each project', async () => {
    const partition = 1_000 + Math.floor(Math.random() * 1e6);
    const base = { logPartition: partition, projectId: newProject() };
    const [late, early, done, elsewhere] = [
      rowFor({ ...base, decidedAt: 200 }),
      rowFor({ ...base, decidedAt: 100 }),
      rowFor(base),
      rowFor({ ...base, logPartition: partition + 1, projectId: newProject() }),
    ];
    await write(late, early, done, elsewhere);
    await write(scored(done, 1), { ...early, attempts: 2 });
    const pending = async (query: { perProject?: number; limit?: number }, partitions = [partition]) =>
      (await store().states.pendingEvaluations({ partitions, perProject: 10, limit: 10, ...query })).map(
        ({ eventId, attempts }) => ({ eventId, attempts }),
      );
    const [first, second] = [
      { eventId: early.eventId, attempts: 2 },
      { eventId: late.eventId, attempts: 0 },
    ];
    expect(await pending({})).toEqual([first, second]);
    expect(await pending({ limit: 1 })).toEqual([first]);
    const both = [partition, partition + 1];
    const found = await store().states.pendingEvaluations({ partitions: both, perProject: 1, limit: 10 });
    expect(found.map(({ logPartition }) => logPartition)).toEqual(both);
    const other = { eventId: elsewhere.eventId, attempts: 0 };
    expect(await pending({ perProject: 1 }, both)).toEqual([first, other]);
    expect(await store().states.pendingEvaluations({ partitions: [], perProject: 10, limit: 10 })).toEqual(
      [],
    );
  });

  it('deletes the evaluations of events for ever', async () => {
    const [row, other] = [rowFor(), rowFor()];
    await write(row, { ...row, metricVersion: 'v2' }, other);
    await store().writer.removeEvaluations([row, rowFor()]);
    await write(scored({ ...row, trigger: Number.MAX_SAFE_INTEGER }, 1));
    expect(await read(row)).toBeUndefined();
    expect(await read(other)).toHaveLength(1);
  });

  it('returns the newest decisions about events by metric, with the events that have no score', async () => {
    const projectId = newProject();
    const row = (fields: Partial<EvaluationRow> = {}) => rowFor({ projectId, ...fields });
    const [first, second, third, waiting] = [row(), row(), row(), row()];
    const failed = (one: EvaluationRow): EvaluationRow => ({ ...one, decision: 'error', errorClass: 'x' });
    const later = { metricVersion: 'v2', trigger: 2 ** 51 };
    await write(scored(first, 1), failed(second), failed(third), waiting, failed(row()));
    await write(scored({ ...third, ...later }, 1), { ...second, metricId: 'other', metricName: 'tone' });
    await write(failed({ ...waiting, ...later }), waiting);
    await write({ ...waiting, metricVersion: 'v3', trigger: 2 ** 51, decision: 'disabled' });
    await write({ ...waiting, metricVersion: 'v4', trigger: 2 ** 51 + 1 });
    const unknown = Array.from({ length: 21_000 }, () => randomUUID());
    const ids = [...unknown, 'not an id', ...[first, second, third, waiting].map(({ eventId }) => eventId)];
    expect(await store().aggregates.decidedEvents(projectId, ids)).toEqual([
      { metricName: 'accuracy', decision: 'error', events: 1, eventIds: [second.eventId] },
      { metricName: 'accuracy', decision: 'pending', events: 1, eventIds: [waiting.eventId] },
      { metricName: 'accuracy', decision: 'scored', events: 2, eventIds: [] },
      { metricName: 'tone', decision: 'pending', events: 1, eventIds: [second.eventId] },
    ]);
    const apart = [first, ...unknown.map((eventId) => ({ eventId })), third].map(({ eventId }) => eventId);
    const one = { metricName: 'accuracy', decision: 'scored', events: 1, eventIds: [] };
    expect(await store().aggregates.decidedEvents(projectId, apart)).toEqual([one, one]);
    expect(await store().aggregates.decidedEvents(newProject(), ids)).toEqual([]);
    expect(await store().aggregates.decidedEvents(projectId, [])).toEqual([]);
  });

  it('counts events by their newest decision, within a time range', async () => {
    const projectId = newProject();
    const at = (decidedAt: number) => rowFor({ projectId, decidedAt });
    const [first, second, third] = [at(100), at(200), at(300)];
    await write(first, second, third, rowFor({ projectId, metricId: 'other' }));
    await write(scored(first, 1), scored({ ...second, metricVersion: 'v2', trigger: 2 ** 51 }, 1));
    const count = (bounds: object) =>
      store().aggregates.countDecisions(projectId, { metricId: 'metric', ...bounds });
    expect(await count({})).toEqual([
      { decision: 'pending', events: 1, cost: 0, errorCodes: {} },
      { decision: 'scored', events: 2, cost: 0.5, errorCodes: {} },
    ]);
    expect(await count({ from: 100, to: 100 })).toEqual([
      { decision: 'scored', events: 1, cost: 0.25, errorCodes: {} },
    ]);
    expect(await count({ from: 400 })).toEqual([]);
  });

  it('counts an event by the version that evaluated it, when another was deployed meanwhile', async () => {
    const projectId = newProject();
    const events = ['v1', 'v2'].map((metricVersion) => ({ ...rowFor({ projectId }), metricVersion }));
    for (const [index, event] of events.entries()) {
      const other = { ...event, metricVersion: events[1 - index]!.metricVersion };
      await write({ ...event, decision: 'disabled', value: null }, scored(other, 1));
    }
    expect(await store().aggregates.countDecisions(projectId, { metricId: 'metric' })).toMatchObject([
      { decision: 'scored', events: 2 },
    ]);
  });

  it('keeps an unknown cost, which no sum of costs hides', async () => {
    const projectId = newProject();
    const [one, other] = [rowFor({ projectId, cost: null }), rowFor({ projectId, cost: 0.25 })];
    await write(one, other);
    expect(await read(one)).toMatchObject([{ cost: null }]);
    expect(await read(other)).toMatchObject([{ cost: 0.25 }]);
    const counts = () => store().aggregates.countDecisions(projectId, { metricId: 'metric' });
    expect(await counts()).toMatchObject([{ decision: 'pending', events: 2, cost: null }]);
    await write({ ...one, trigger: one.trigger + 1, decision: 'error', errorClass: 'a', cost: null });
    await write({ ...other, trigger: other.trigger + 1, decision: 'error', errorClass: 'b' });
    expect(await counts()).toEqual([
      { decision: 'error', events: 2, cost: null, errorCodes: { a: 1, b: 1 } },
    ]);
  });

  it('counts failures by their codes', async () => {
    const projectId = newProject();
    const failed = (errorClass: string) =>
      rowFor({ projectId, decision: 'timeout', errorClass, cost: 0.25, value: null });
    await write(failed('timeout'), failed('paused'), failed('paused'));
    expect(await store().aggregates.countDecisions(projectId, { metricId: 'metric' })).toEqual([
      { decision: 'timeout', events: 3, cost: 0.75, errorCodes: { paused: 2, timeout: 1 } },
    ]);
  });

  it('finds the metrics of the events of sessions', async () => {
    const [project_id, session_id] = [newProject(), randomUUID()];
    const eventIn = (fields: object) => sampleEvent({ project_id, session_id, ...fields });
    await writeEvents(store(), [
      eventIn({ metrics: { a: 1 } }),
      eventIn({ metrics: { a: 'good', b: true } }),
      eventIn({}),
      eventIn({ session_id: randomUUID(), metrics: { a: 9 } }),
      eventIn({ project_id: newProject(), metrics: { a: 9 } }),
    ]);
    const key = { projectId: project_id, eventId: session_id };
    const found = (await store().sessions.metrics([key])).get(`${project_id}/${session_id}`);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([{ a: 1 }, { a: 'good', b: true }]));
  });

  it('is removed with its project', async () => {
    const row = rowFor();
    await write(row);
    expect(await store().administration.projectIds()).toContain(row.projectId);
    const deadline = Date.now() + 20_000;
    while (!(await store().administration.removeProject(row.projectId)).isComplete) {
      if (Date.now() > deadline) throw new Error('the project is not removed in time');
      await delay(10);
    }
    expect(await read(row)).toBeUndefined();
  });
}
