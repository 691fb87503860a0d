import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program, ProgramEnd } from './programs.js';

/** Runs a program to its end, with these variables and nothing else of our environment than PATH and HOME. Ends it after `withinMs`. */
export async function runProgram(
  { file, args, environment }: Program,
  more: Readonly<Record<string, string>>,
  withinMs: number,
): Promise<ProgramEnd> {
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...more, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: withinMs,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { status: child.exitCode, stdout, stderr };
}
