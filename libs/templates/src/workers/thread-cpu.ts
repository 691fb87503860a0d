import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

const OWN_SCHEDSTAT = '/proc/thread-self/schedstat';
const OWN_TASK = '/proc/thread-self';

/** What newer versions of Node have. */
interface WithThreadCpu {
  readonly threadCpuUsage?: () => { readonly user: number; readonly system: number };
}

/**
 * Returns a function that reads the CPU time of the calling thread, in milliseconds: by Node where it can, else by the scheduler's
 * statistics of Linux. Elsewhere it reads that of the process, which is never less: a rendering that is not late by it is not late.
 */
export function ownCpuClock(): () => number {
  const { threadCpuUsage } = process as WithThreadCpu;
  if (threadCpuUsage !== undefined) return () => toMs(threadCpuUsage.call(process));
  return schedstatClock() ?? (() => toMs(process.cpuUsage()));
}

function toMs({ user, system }: { readonly user: number; readonly system: number }): number {
  return (user + system) / 1_000;
}

/** A file descriptor that stays open belongs to the thread that opened it. */
function schedstatClock(): (() => number) | undefined {
  try {
    const file = openSync(OWN_SCHEDSTAT, 'r');
    const buffer = Buffer.alloc(96);
    return () => ranMs(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)));
  } catch {
    return undefined;
  }
}

/** Id of the calling thread in the operating system; undefined where the system does not tell. */
export function ownThreadId(): number | undefined {
  try {
    return Number(readlinkSync(OWN_TASK).split('/').at(-1));
  } catch {
    return undefined;
  }
}

/** Returns the CPU time of a thread of this process, in milliseconds; undefined where the system does not tell. */
export function cpuOfThread(osThreadId: number): number | undefined {
  try {
    return ranMs(readFileSync(`/proc/self/task/${osThreadId}/schedstat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The first field of proc(5) `schedstat`: nanoseconds on a core. */
function ranMs(schedstat: string): number {
  return Number(schedstat.split(' ', 1)[0]) / 1e6;
}
