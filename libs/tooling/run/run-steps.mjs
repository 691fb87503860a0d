// Runs the steps of a task: one after another, or checks concurrently with the tests.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { root } from './install.mjs';

/** @typedef {readonly [command: string, args: readonly string[]]} Step */

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exitCode = 1;
  });

/** Runs steps in order; resolves with the status of the first one that fails, which is the last one that runs, or 0. */
export async function runInOrder(steps) {
  for (const step of steps) {
    const { status } = await run(step, 'inherit');
    if (status !== 0) return status;
  }
  return 0;
}

/**
 * Runs `checks` in order while `steps` run; resolves with 0 when all of them passed. The checks have a lower priority, so that they
 * use the time in which tests wait. The output of a check is written when it has failed, in one piece, and named again at the end.
 */
export async function runWithChecks(checks, steps) {
  const [status, failed] = await Promise.all([runInOrder(steps), failedChecks(checks)]);
  for (const step of failed) process.stderr.write(`failed: ${nameOf(step)}\n`);
  return status !== 0 ? status : Math.min(failed.length, 1);
}

async function failedChecks(checks) {
  const failed = [];
  for (const step of checks) {
    const { status, output } = await run(step, 'pipe');
    if (status === 0) continue;
    failed.push(step);
    process.stderr.write(`\nfailed: ${nameOf(step)}\n${output}\n`);
  }
  return failed;
}

/** Resolves when the step has ended, with its status and, unless it writes to this process's output, with what it wrote. */
function run([command, args], output) {
  if (process.exitCode) return Promise.resolve({ status: process.exitCode, output: 'interrupted' });
  const env = { UV_THREADPOOL_SIZE: '12', ...process.env };
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', output, output], env });
  running.add(child);
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece));
  if (output === 'pipe') lowerPriority(child.pid);
  return new Promise((resolve) => {
    const end = (status) => {
      running.delete(child);
      resolve({ status, output: Buffer.concat(pieces).toString() });
    };
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      end(1);
    });
    child.on('close', (status) => end(status ?? 1));
  });
}

function lowerPriority(pid) {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The check has ended already.
  }
}

function nameOf([command, args]) {
  return [command, ...args].join(' ').replaceAll(`${root}/`, '');
}
