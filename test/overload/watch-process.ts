import { readFileSync } from 'node:fs';
import { residentMegabytes } from '../bench/cpu-time.js';
import { readMetrics } from '../harness/stack/read-metrics.js';

const EVERY_MS = 100;

/** Resource use of a process. */
export interface ResourceUse {
  /** Maximum resident megabytes. */
  readonly megabytes: number;
  /**
   * How many times longer the main thread took because other processes had the CPU; 1 on an idle machine. Divide wall-clock times by it
   * to compare them between machines.
   */
  readonly slowdown: number;
}

/** Samples a process ten times a second until it is stopped. */
export interface ProcessWatch {
  stop(): ResourceUse;
}

export function watchProcess(pid: number): ProcessWatch {
  let megabytes = residentMegabytes(pid);
  const before = mainThread(pid);
  const timer = setInterval(() => (megabytes = Math.max(megabytes, residentMegabytes(pid))), EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      const after = mainThread(pid);
      const [ran, waited] = [after.ranMs - before.ranMs, after.waitedMs - before.waitedMs];
      return { megabytes, slowdown: (ran + waited) / Math.max(ran, 1) };
    },
  };
}

/** Milliseconds that the main thread of a process has run, and has waited for a core; the first two fields of proc(5) `schedstat`. */
function mainThread(pid: number): { readonly ranMs: number; readonly waitedMs: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
    .split(' ')
    .map(Number);
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}

/** Reads a metric without labels from an admin port. @throws when it is missing */
export async function scrape(adminUrl: string, metric: string): Promise<number> {
  const text = await readMetrics(adminUrl);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${metric} `));
  if (line === undefined) throw new Error(`missing metric ${metric}`);
  return Number(line.split(' ')[1]);
}
