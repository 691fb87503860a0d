import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode } from '../files/file-system.js';

/** Identifies a process across machines, containers and boots. */
export interface ProcessIdentity {
  /** Hash of the boot id of the machine; of the host name where there is none. */
  readonly boot: string;
  /** Inode of the PID namespace, which every container has of its own; `0` where there is none. */
  readonly namespace: string;
  readonly pid: number;
  /** Clock ticks from boot to the start of the process; `0` where that is unknown. */
  readonly start: string;
}

export function ownIdentity(): ProcessIdentity {
  const boot = readOr('/proc/sys/kernel/random/boot_id', hostname());
  return {
    boot: createHash('sha256').update(boot).digest('hex').slice(0, 12),
    namespace: /\d+/.exec(linkOr('/proc/self/ns/pid', '0'))?.[0] ?? '0',
    pid: process.pid,
    start: statusOf('self')?.start ?? '0',
  };
}

/** Whether this process can see the other one, so that its process id means something here. */
export function isVisible(own: ProcessIdentity, other: ProcessIdentity): boolean {
  return own.boot === other.boot && own.namespace === other.namespace;
}

/**
 * Whether a visible process still runs. A process that ended but was not reaped by its parent (state Z or X)
 * does not run, and a process with another start time only got the same id.
 */
export function isRunning({ pid, start }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  // A /proc of another namespace names other processes.
  if (linkOr('/proc/self', '') !== String(process.pid)) return true;
  const status = statusOf(pid);
  if (status === undefined) return true;
  return status.start === start && !/[ZXx]/.test(status.state);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** Fields 3 and 22 of the status line. The name before them may hold spaces and parentheses. */
function statusOf(pid: number | 'self'): { state: string; start: string } | undefined {
  const line = readOr(`/proc/${pid}/stat`, '');
  const [state, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const start = rest[18];
  return state === undefined || start === undefined ? undefined : { state, start };
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return otherwise;
  }
}

function linkOr(path: string, otherwise: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return otherwise;
  }
}
