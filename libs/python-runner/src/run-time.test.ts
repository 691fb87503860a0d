import { describeWhere, silentLogger, waitFor } from '@assay/testing';
import { BUSY_CORE, keepBusy, onOneCore } from '../test/busy-core.js';
import { HIDDEN_PROC, PYTHON } from '../test/environments.js';
import { ranMs, readyProcesses, stateOf } from '../test/processes.js';
import type { PythonCall, PythonOutcome, PythonRunner } from './python-runner.js';
import { startPythonRunner } from './start-python-runner.js';

/** Loops beside a metric on its core: it gets about a ninth of the time. */
const LOOPS = 8;
const LIMIT_MS = 100;
/** Its wall time beside the loops is about 270 ms. */
const NEEDS_30_MS = `
import time
while time.process_time() < 0.03: pass
result = 1`;
const SLEEP = 'import time\ntime.sleep(0.2)\nresult = 1';
const LOOP = `
import time
printed = 0
while True:
    if time.process_time() > printed + 0.005:
        printed = time.process_time()
        print(printed)`;
const STOPPED = { ok: false, error: { code: 'timeout' } };

/** Runners and calls of one group of tests. */
class Fixture {
  readonly #opened: { close(): Promise<void> }[] = [];

  async start(command: readonly string[]): Promise<(call: Partial<PythonCall>) => Promise<PythonOutcome>> {
    const runner: PythonRunner = await startPythonRunner({ command, workers: 1, log: silentLogger });
    this.#opened.push(runner);
    expect(runner.state).toMatchObject({ available: true });
    const fixed = { projectId: 'p', metricName: 'm', returnType: 'float', event: {} } as const;
    return (call) => runner.evaluate({ ...fixed, source: 'result = 1', timeoutMs: LIMIT_MS, ...call });
  }

  keepBusy(): void {
    const stop = keepBusy(LOOPS);
    this.#opened.push({ close: () => Promise.resolve(stop()) });
  }

  async close(): Promise<void> {
    for (const one of this.#opened.splice(0).reverse()) await one.close();
  }
}

describeWhere({ describe, it }, 'the run time of metrics', BUSY_CORE, () => {
  const fixture = new Fixture();
  afterEach(() => fixture.close());

  describeWhere({ describe, it }, 'on a machine that tells how long processes wait', PYTHON, () => {
    it('does not include the time in which other processes use the core', async () => {
      const evaluate = await fixture.start(onOneCore('python3'));
      fixture.keepBusy();
      for (let round = 0; round < 10; round++)
        expect(await evaluate({ source: NEEDS_30_MS })).toMatchObject({ ok: true, value: 1 });
    });

    it('is used up by a loop beside other processes, and by sleeping', async () => {
      const evaluate = await fixture.start(onOneCore('python3'));
      const quiet = await evaluate({ source: SLEEP });
      fixture.keepBusy();
      const loop = await evaluate({ source: LOOP });
      expect([quiet, loop, await evaluate({ source: SLEEP })]).toMatchObject([STOPPED, STOPPED, STOPPED]);
      const usedMs = Number(loop.stdout.trim().split('\n').at(-1)) * 1_000;
      expect(usedMs).toBeGreaterThan(0.8 * LIMIT_MS);
    });

    it('ends as machine_busy when a metric gets no core within 20 times the limit', async () => {
      const evaluate = await fixture.start(['python3']);
      await waitFor('an evaluation whose process is stopped ends so', async () => {
        const { child } = await readyProcesses();
        const evaluation = evaluate({ source: LOOP });
        await hasRun(child, 1);
        signal(child, 'SIGSTOP');
        const outcome = await evaluation;
        return !outcome.ok && outcome.error.code === 'machine_busy';
      });
      expect(await evaluate({})).toMatchObject({ ok: true });
    });

    it('is not measured when the result is there before the limit is looked at', async () => {
      const evaluate = await fixture.start(['python3']);
      await waitFor('a metric ends while the process that waits for it is stopped', async () => {
        const { server, child } = await readyProcesses();
        const evaluation = evaluate({ source: NEEDS_30_MS });
        await hasRun(child, 5);
        signal(server, 'SIGSTOP');
        const [state, stoppedAt] = [stateOf(child), performance.now()];
        if (state !== undefined) {
          await waitFor('the metric has ended', () => stateOf(child) === 'Z');
          await waitFor('its limit has passed', () => performance.now() - stoppedAt > 2 * LIMIT_MS);
        }
        signal(server, 'SIGCONT');
        expect(await evaluation).toMatchObject({ ok: true, value: 1 });
        return state !== undefined;
      });
    });
  });

  describeWhere({ describe, it }, HIDDEN_PROC.name, HIDDEN_PROC, () => {
    it('is the CPU time', async () => {
      const evaluate = await fixture.start(onOneCore(...HIDDEN_PROC.command));
      fixture.keepBusy();
      expect(await evaluate({ source: NEEDS_30_MS })).toMatchObject({ ok: true, value: 1 });
      const loop = await evaluate({ source: LOOP });
      expect(loop).toMatchObject({ error: { code: 'timeout', message: 'stopped after 100 ms' } });
    });

    it('ends a metric that sleeps on its second attempt', async () => {
      const evaluate = await fixture.start(HIDDEN_PROC.command);
      const source = 'import time\ntime.sleep(60)';
      expect(await evaluate({ source, timeoutMs: 10 })).toMatchObject({
        error: { code: 'timeout', message: 'stopped twice after 200 ms' },
      });
    });
  });
});

/** Waits until a process has used CPU time since now, or has ended. */
async function hasRun(pid: number, ms: number): Promise<void> {
  const before = ranMs(pid) ?? 0;
  await waitFor('the process runs', () => (ranMs(pid) ?? Infinity) > before + ms);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process may have ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
