import { readdirSync } from 'node:fs';
import { cpuSeconds, statOf } from './cpu-time.js';

/** Groups of the threads of the single process. */
export const THREADS = ['main', 'V8 and libuv', 'engine', 'merges', 'rest'] as const;
export type ThreadGroup = (typeof THREADS)[number];

/** CPU time by group, which adds up to that of the process. */
export type ThreadTimes = Readonly<Record<ThreadGroup, number>>;

/** Threads of the engine by the names that it gives them; all others but Node's are the rest. */
const ENGINE_THREADS: Readonly<Record<string, ThreadGroup>> = {
  Unknown: 'engine',
  ThreadPool: 'engine',
  QueryPipelineEx: 'engine',
  MergeMutate: 'merges',
};

/** Seconds of CPU that a process has used, by thread. What ended threads have used is part of the rest. */
export function threadSeconds(pid: number): ThreadTimes {
  const seconds = { main: 0, 'V8 and libuv': 0, engine: 0, merges: 0, rest: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const { name, seconds: used } = statOf(`/proc/${pid}/task/${thread}/stat`);
    seconds[groupOf(name, Number(thread) === pid)] += used;
  }
  const { main, engine, merges, 'V8 and libuv': node } = seconds;
  return { ...seconds, rest: cpuSeconds(pid) - main - node - engine - merges };
}

/** Microseconds of CPU per event since an earlier reading, by thread. */
export function perEventSince(before: ThreadTimes, pid: number, events: number): ThreadTimes {
  const now = threadSeconds(pid);
  const groups = THREADS.map((group) => [group, ((now[group] - before[group]) * 1e6) / events]);
  return Object.fromEntries(groups) as ThreadTimes;
}

/** Of all threads together. */
export function wholeOf(threads: ThreadTimes): number {
  return THREADS.reduce((sum, group) => sum + threads[group], 0);
}

function groupOf(name: string, isMain: boolean): ThreadGroup {
  if (isMain) return 'main';
  return name === 'node' ? 'V8 and libuv' : (ENGINE_THREADS[name] ?? 'rest');
}
