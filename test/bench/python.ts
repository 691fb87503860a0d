import { readdirSync, readFileSync } from 'node:fs';
import { startPythonRunner, type PythonCall, type PythonRunner } from '@assay/python-runner';
import { silentLogger } from '@assay/testing';
import type { Latency } from './call-all.js';
import { residentMegabytes } from './cpu-time.js';

export interface PythonFigures {
  readonly name: string;
  readonly evaluations: number;
  readonly perSecond: number;
  readonly latency: Latency;
  /** CPU of all processes that evaluate, per evaluation. */
  readonly cpuMs: number;
  /** Memory of this process and the fork servers. */
  readonly residentMegabytes: { readonly start: number; readonly end: number };
}

interface Case {
  readonly name: string;
  readonly evaluations: number;
  readonly inFlight: number;
  readonly call: PythonCall;
}

const TICKS_PER_SECOND = 100;
const WORKERS = 2;
const TRIVIAL: PythonCall = {
  projectId: 'bench',
  source: 'def evaluate(outputs):\n    return len(outputs["content"])',
  metricName: 'length',
  returnType: 'float',
  event: { outputs: { content: 'an answer' } },
  timeoutMs: 1_000,
};
const LARGE = { ...TRIVIAL, event: { outputs: { content: 'x'.repeat(1 << 20) } } };

const CASES: readonly Case[] = [
  { name: 'trivial, one at a time', evaluations: 2_000, inFlight: 1, call: TRIVIAL },
  { name: 'trivial, four in flight', evaluations: 4_000, inFlight: 4, call: TRIVIAL },
  { name: 'event of 1 MiB, one at a time', evaluations: 500, inFlight: 1, call: LARGE },
];

/** Evaluates metrics on two fork servers. `ASSAY_BENCH_EVALUATIONS` adds a long run that shows whether memory grows. */
export async function* measurePython(): AsyncGenerator<PythonFigures> {
  const runner = await startPythonRunner({ workers: WORKERS, log: silentLogger });
  try {
    if (!runner.state.available) throw new Error(runner.state.reason);
    const long = Number(process.env.ASSAY_BENCH_EVALUATIONS ?? 0);
    const all =
      long > 0
        ? [...CASES, { name: 'trivial, long run', evaluations: long, inFlight: 4, call: TRIVIAL }]
        : CASES;
    for (const one of all) yield await measureCase(runner, one);
  } finally {
    await runner.close();
  }
}

async function measureCase(
  runner: PythonRunner,
  { name, evaluations, inFlight, call }: Case,
): Promise<PythonFigures> {
  await evaluateAll(runner, call, { count: 200, inFlight });
  const servers = forkServers();
  const resident = () => [process.pid, ...servers].reduce((sum, pid) => sum + residentMegabytes(pid), 0);
  const [start, cpuBefore, startedAt] = [resident(), cpuSeconds(servers), performance.now()];
  const times = await evaluateAll(runner, call, { count: evaluations, inFlight });
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  return {
    name,
    evaluations,
    perSecond: evaluations / seconds,
    latency: { p50: at(0.5), p99: at(0.99) },
    cpuMs: ((cpuSeconds(servers) - cpuBefore) * 1000) / evaluations,
    residentMegabytes: { start, end: resident() },
  };
}

async function evaluateAll(
  runner: PythonRunner,
  call: PythonCall,
  { count, inFlight }: { count: number; inFlight: number },
): Promise<number[]> {
  const times: number[] = [];
  let started = 0;
  const caller = async () => {
    while (started++ < count) {
      const startedAt = performance.now();
      const outcome = await runner.evaluate(call);
      if (!outcome.ok) throw new Error(outcome.error.message);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return times;
}

/** Returns the ids of this process's children. */
function forkServers(): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => statOf(id)[1] === String(process.pid)).map(Number);
}

/** CPU of processes and of their children that have ended: fields 14 to 17 of proc(5) `stat`. */
function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => statOf(String(pid)).slice(11, 15)).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}
