// Runs a program that installs: npm or pnpm. Its output is shown when it fails, and a signal to this process ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Refusal } from './platform.mjs';

/** As much of the end of an output as a failure is explained with. */
const MAX_OUTPUT = 16_384;

/**
 * Resolves with the status and the end of the output.
 * @param onStart called with the process id of the program
 * @throws Refusal when a signal has ended the program
 */
export async function runChild([command, ...args], { cwd, env, onStart }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isInterrupted = false;
  const forward = (signal) => {
    isInterrupted = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-MAX_OUTPUT)));
  try {
    const closed = once(child, 'close');
    await once(child, 'spawn');
    onStart?.(child.pid);
    const [status, signal] = await closed;
    if (isInterrupted || signal) throw new Refusal('interrupted');
    return { status, output };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { status: 1, output: `${command}: ${error.message}` };
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}

/** The npm that runs this task, else the one on the PATH. */
export function npm(...args) {
  const program = process.env.npm_execpath;
  return program?.endsWith('npm-cli.js') ? [process.execPath, program, ...args] : ['npm', ...args];
}
