import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second: USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU (user and system, all threads) that a process has used; field 14 and 15 of proc(5) `stat`. */
export function cpuSeconds(pid: number): number {
  return statOf(`/proc/${pid}/stat`).seconds;
}

/** Name and seconds of CPU of a process or thread, from its proc(5) `stat`. The name is in brackets, and can contain some. */
export function statOf(path: string): { readonly name: string; readonly seconds: number } {
  const stat = readFileSync(path, 'utf8');
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return { name: stat.slice(stat.indexOf('(') + 1, end), seconds };
}

/** Megabytes that a process holds in memory. */
export function residentMegabytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1024;
}
