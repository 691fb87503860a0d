import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { own } from '@assay/testing';
import { testProgramArgs } from '../harness/processes/test-program.js';

/** A program of the bench as a process of its own that prints `listening <port>`. */
export async function startListening(program: string): Promise<{ child: ChildProcess; port: number }> {
  const child = own(
    spawn(process.execPath, testProgramArgs(`bench/${program}`), { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(/listening (\d+)/.exec(chunk.toString())?.[1]) };
}

/** Runs a program of the bench to its end and returns what it printed as JSON. */
export async function runToEnd<T>(program: string, ...args: string[]): Promise<T> {
  const child = own(
    spawn(process.execPath, [...testProgramArgs(`bench/${program}`), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'exit');
  return JSON.parse(output) as T;
}
