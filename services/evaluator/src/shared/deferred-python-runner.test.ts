import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPythonRunner } from '@assay/python-runner';
import { PYTHON } from '@assay/python-runner/test/environments';
import { describeWhere, silentLogger, waitFor } from '@assay/testing';
import { startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { metricOf } from '../../test/metric-fixture.js';
import { WorkerRun } from '../../test/worker-fixture.js';
import { DeferredPythonRunner } from './deferred-python-runner.js';

const EVENT_ID = '11111111-1111-4111-8111-111111111111';

describeWhere({ describe, it }, 'with Python', PYTHON, () => {
  let folder: string;
  let model: FakeModel;
  let python: DeferredPythonRunner;
  let time: number;
  /** Python runs from its second start on; the first ones are never ready. */
  let starts: number;

  const start = (busyStarts: number) => {
    const waits = ['sh', '-c', 'exec sleep 600'];
    const startOnce = () => {
      const isBusy = ++starts <= busyStarts;
      return startPythonRunner({
        command: isBusy ? waits : ['python3'],
        ...(isBusy && { startTimeoutMs: 1 }),
        workers: 1,
        temporaryFolder: folder,
        log: silentLogger,
      });
    };
    python = new DeferredPythonRunner({ start: startOnce, now: () => time });
  };
  const call = () =>
    python.evaluate({
      ...{ projectId: 'p', source: 'result = 1', metricName: 'm', returnType: 'float' },
      ...{ event: {}, timeoutMs: 10_000 },
    });
  const busy = { ok: false, error: { code: 'machine_busy' } };

  beforeEach(async () => {
    [time, starts] = [2_000, 0];
    folder = await mkdtemp(join(tmpdir(), 'assay-deferred-test-'));
    model = await startFakeModel([]);
  });
  afterEach(async () => {
    await python.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('evaluates after a later start when the machine was too busy for the first one', async () => {
    start(1);
    expect(await call()).toMatchObject(busy);
    expect(python.state).toMatchObject({
      available: false,
      reason: expect.stringMatching(/in time$/) as string,
    });
    expect([await call(), starts]).toMatchObject([busy, 1]);
    time += 10_000;
    expect(await call()).toMatchObject({ ok: true, value: 1 });
    expect([python.state.available, starts]).toEqual([true, 2]);
  });

  it('starts ever more rarely while the machine is too busy', async () => {
    start(Number.POSITIVE_INFINITY);
    const startedAt: number[] = [];
    for (const end = time + 1_500_000; time < end; time += 10_000) {
      const before = starts;
      await call();
      if (starts > before) startedAt.push((time - 2_000) / 1_000);
    }
    expect(startedAt).toEqual([0, 10, 30, 70, 150, 310, 610, 910, 1_210]);
  });

  it('does not start again where metrics cannot be evaluated at all', async () => {
    python = new DeferredPythonRunner({
      start: () => {
        starts++;
        return startPythonRunner({ command: ['no-such-python'], temporaryFolder: folder, log: silentLogger });
      },
      now: () => time,
    });
    for (let calls = 0; calls < 3; calls++, time += 300_000)
      expect(await call()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(starts).toBe(1);
  });

  it('postpones evaluations meanwhile, and loses none', async () => {
    start(1);
    const run = new WorkerRun(
      { ...model.deps, python, pythonTimeoutMs: 10_000, now: () => time },
      metricOf('quality'),
    );
    run.worker.assigned([0]);
    run.worker.accept([run.work(EVENT_ID, 0)]);
    await waitFor('the evaluation waits', async () => starts === 1 && (await run.waiting()) === 1);
    expect(run.ended()).toEqual([]);
    time += 10_000;
    await waitFor('a score', () => Promise.resolve(run.ended().length === 1));
    await run.worker.stop();
    expect(run.ended()).toEqual([`${EVENT_ID} scored`]);
  });
});
