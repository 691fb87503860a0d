import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { own, type Requirement } from '@assay/testing';

/** What tests need that keep a core busy. */
export const BUSY_CORE: Requirement = {
  ...(spawnSync('taskset', ['--version']).status !== 0 && { missing: 'taskset is missing' }),
};

/** Returns a command that runs on one core only, always the same one. */
export function onOneCore(...command: string[]): string[] {
  return ['taskset', '--cpu-list', firstCore(), ...command];
}

/** Keeps the core of `onOneCore` busy with endless loops, until the returned function is called. */
export function keepBusy(loops: number): () => void {
  const [program = '', ...rest] = onOneCore('sh', '-c', 'while :; do :; done');
  const running = Array.from({ length: loops }, () => own(spawn(program, rest, { stdio: 'ignore' })));
  return () => running.forEach((loop) => loop.kill('SIGKILL'));
}

/** The first core that this process may use. */
function firstCore(): string {
  const status = readFileSync('/proc/self/status', 'utf8');
  return /^Cpus_allowed_list:\s*(\d+)/m.exec(status)?.[1] ?? '0';
}
