import { residentMegabytes } from '../bench/cpu-time.js';

const EVERY_MS = 100;

/** Looks at a process ten times a second until it is stopped. */
export interface ProcessWatch {
  /** The most megabytes that it was seen to hold. */
  stop(): number;
}

export function watchProcess(pid: number): ProcessWatch {
  let most = residentMegabytes(pid);
  const timer = setInterval(() => (most = Math.max(most, residentMegabytes(pid))), EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/** The value of a metric without labels on an admin port. @throws when it is not there */
export async function scrape(adminUrl: string, metric: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${metric} `));
  if (line === undefined) throw new Error(`there is no metric ${metric}`);
  return Number(line.split(' ')[1]);
}
