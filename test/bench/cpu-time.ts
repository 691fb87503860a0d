import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second: USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU (user and system, all threads) that a process has used; field 14 and 15 of proc(5) `stat`. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Megabytes that a process holds in memory. */
export function residentMegabytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1024;
}
