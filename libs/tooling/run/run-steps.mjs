// Runs the steps of a task: one after another, or checks concurrently with the tests.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { root } from './install.mjs';

/** @typedef {readonly [command: string, args: readonly string[]]} Step */

/** A check gets two fifths of the time of a test. Much less, and the checks would end after the tests, one core idle. */
const CHECK_NICENESS = 4;

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
 * Runs `sourceChecks` in order during the build, and then `checks` in order while `steps` run; resolves with 0 when all of them passed.
 * The checks have a lower priority, so that they use the time in which tests wait. The output of a check is written when it has failed,
 * in one piece, and named again at the end.
 * @param built resolves with the status of the build
 */
export async function runWithChecks({ built, sourceChecks, checks, steps }) {
  const failedInSources = failedChecks(sourceChecks);
  const buildStatus = await built;
  if (buildStatus !== 0) {
    for (const child of running) child.kill();
    return buildStatus;
  }
  const [status, ...failed] = await Promise.all([runInOrder(steps), failedInSources, failedChecks(checks)]);
  for (const step of failed.flat()) process.stderr.write(`failed: ${nameOf(step)}\n`);
  return status !== 0 ? status : Math.min(failed.flat().length, 1);
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
  const env = { UV_THREADPOOL_SIZE: '14', ...process.env };
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
    setPriority(pid, CHECK_NICENESS);
  } catch {
    // The check has ended already.
  }
}

function nameOf([command, args]) {
  return [command, ...args].join(' ').replaceAll(`${root}/`, '');
}
