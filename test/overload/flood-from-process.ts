import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { own } from '@assay/testing';
import { testProgram } from '../harness/processes/test-program.js';
import type { Flood, FloodResult } from './flood.js';

const PROGRAM = testProgram('overload/load-process.ts');
/** A nice(2) value: the load shares the machine with the server and must not take its CPU. */
const LOW_PRIORITY = 10;

/** Runs a load in a separate process, as clients on other machines would. Rejects when the process fails. */
export async function floodFromProcess(load: Omit<Flood, 'agent'>): Promise<FloodResult> {
  const child = own(
    fork(PROGRAM.file, {
      execArgv: PROGRAM.execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  setPriority(child.pid!, LOW_PRIORITY);
  await once(child, 'message');
  child.send(load);
  const [result] = (await Promise.race([once(child, 'message'), failureOf(child)])) as [FloodResult];
  return result;
}

async function failureOf(child: ReturnType<typeof fork>): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new Error(`the load process exited with ${code ?? signal} before it had a result`);
}
