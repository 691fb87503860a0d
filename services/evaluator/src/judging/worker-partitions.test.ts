import type { ServerResponse } from 'node:http';
import { chatCompletion } from '@assay/judges/test/fake-provider';
import { waitFor } from '@assay/testing';
import { llmMetric, startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { WorkerRun } from '../../test/worker-fixture.js';

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map(
  (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`,
) as [string, string, string];

describe('the worker of a process', () => {
  let model: FakeModel;
  let run: WorkerRun;
  let held: ServerResponse[];
  const open = () => held.filter(({ destroyed }) => !destroyed);
  const callsBecome = (calls: number) =>
    waitFor(`${calls} calls`, () => Promise.resolve(open().length === calls));
  const release = () => {
    for (const response of open()) response.end(JSON.stringify(chatCompletion('[[5]]')));
  };
  const endedBecome = (expected: readonly string[]) =>
    waitFor('results', () => Promise.resolve(JSON.stringify(run.ended()) === JSON.stringify(expected)));

  beforeEach(async () => {
    held = [];
    model = await startFakeModel([(response) => void held.push(response)]);
    run = new WorkerRun(model.deps, llmMetric());
    run.worker.keepOnly([0, 1]);
  });
  afterEach(async () => {
    await run.worker.stop();
    await model.close();
  });

  it('ends the calls of partitions that another process reads now, and appends none of their results', async () => {
    run.worker.accept([run.work(FIRST, 0), run.work(SECOND, 1)]);
    await callsBecome(2);
    run.worker.keepOnly([1]);
    await callsBecome(1);
    release();
    await endedBecome([`${SECOND} scored`]);
    expect(run.evaluations.map(({ eventId, decision, attempts }) => [eventId, decision, attempts])).toEqual([
      [FIRST, 'pending', 1],
      [SECOND, 'pending', 1],
      [SECOND, 'scored', 1],
    ]);
  });

  it('continues the evaluations that wait in the store for its partitions, and no others', async () => {
    run.pending = [run.row(FIRST, 0), run.row(SECOND, 1), run.row(THIRD, 2)];
    run.worker.assigned([0, 2]);
    await callsBecome(2);
    release();
    await endedBecome([`${FIRST} scored`, `${THIRD} scored`]);
    expect(model.provider.requests).toHaveLength(2);
  });

  it('does not take over evaluations of partitions that it has lost', async () => {
    run.worker.accept([run.work(THIRD, 2), run.work(FIRST, 0)]);
    await callsBecome(1);
    release();
    await endedBecome([`${FIRST} scored`]);
  });

  it('leaves a call running when it keeps the partition, and does not repeat it', async () => {
    run.worker.accept([run.work(FIRST, 0)]);
    await callsBecome(1);
    run.pending = [run.row(FIRST, 0), run.row(SECOND, 1)];
    run.worker.keepOnly([0, 1]);
    run.worker.assigned([0, 1]);
    await callsBecome(2);
    release();
    await endedBecome([`${FIRST} scored`, `${SECOND} scored`]);
    expect(model.provider.requests).toHaveLength(2);
  });

  it('appends a result again until the log takes it', async () => {
    run.worker.accept([run.work(FIRST, 0)]);
    await callsBecome(1);
    run.failures = 2;
    release();
    await endedBecome([`${FIRST} scored`]);
    expect([run.failures, model.provider.requests.length]).toEqual([0, 1]);
  });

  it('ends its calls and leaves them pending when it stops', async () => {
    run.worker.accept([run.work(FIRST, 0)]);
    await callsBecome(1);
    await run.worker.stop();
    await callsBecome(0);
    expect(run.ended()).toEqual([]);
  });
});
