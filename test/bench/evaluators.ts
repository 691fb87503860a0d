import { spawn } from 'node:child_process';
import { startPythonRunner, type PythonCall, type PythonOutcome } from '@assay/python-runner';
import { own, silentLogger } from '@assay/testing';
import { percentile } from './send-load.js';

export interface BusyFigures {
  readonly name: string;
  readonly evaluations: number;
  readonly scored: number;
  readonly timeouts: number;
  readonly machineBusy: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const EVALUATIONS = 10_000;
const IN_FLIGHT = 2;
const BUSY_LOOPS = 4;
/** The default of `PYTHON_METRIC_TIMEOUT_MS`. */
const LIMIT_MS = 100;
const ONE_LINE: PythonCall = {
  projectId: 'bench',
  source: 'result = len(outputs["content"])',
  metricName: 'length',
  returnType: 'float',
  event: { outputs: { content: 'an answer' } },
  timeoutMs: LIMIT_MS,
};

/** Evaluates a metric of one line within the default limit, alone and while other processes use every core. */
export async function* measureBusyEvaluations(): AsyncGenerator<BusyFigures> {
  yield await measure('alone', 0);
  yield await measure(`beside ${BUSY_LOOPS} endless loops`, BUSY_LOOPS);
}

async function measure(name: string, busyLoops: number): Promise<BusyFigures> {
  const runner = await startPythonRunner({ workers: IN_FLIGHT, log: silentLogger });
  const loops = Array.from({ length: busyLoops }, () =>
    own(spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })),
  );
  try {
    if (!runner.state.available) throw new Error(runner.state.reason);
    const outcomes: PythonOutcome[] = [];
    let started = 0;
    const caller = async () => {
      while (started++ < EVALUATIONS) outcomes.push(await runner.evaluate(ONE_LINE));
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
    const times = outcomes.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
    const failed = (code: string) => outcomes.filter((one) => !one.ok && one.error.code === code).length;
    return {
      name,
      evaluations: outcomes.length,
      scored: outcomes.filter(({ ok }) => ok).length,
      timeouts: failed('timeout'),
      machineBusy: failed('machine_busy'),
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      maxMs: times.at(-1) ?? 0,
    };
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
    await runner.close();
  }
}
