import { readFileSync } from 'node:fs';
import { residentMegabytes } from '../bench/cpu-time.js';

const EVERY_MS = 100;

/** What a process was seen to take. */
export interface Seen {
  /** The most megabytes in memory. */
  readonly megabytes: number;
  /**
   * How many times longer everything took on its main thread because other processes had the cores: 1 on a machine of its own. What is measured
   * by the clock on the wall says something of the process only when it is divided by this.
   */
  readonly slowdown: number;
}

/** Looks at a process ten times a second until it is stopped. */
export interface ProcessWatch {
  stop(): Seen;
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

/** The value of a metric without labels on an admin port. @throws when it is not there */
export async function scrape(adminUrl: string, metric: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${metric} `));
  if (line === undefined) throw new Error(`there is no metric ${metric}`);
  return Number(line.split(' ')[1]);
}
