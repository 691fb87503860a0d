import { fork } from 'node:child_process';
import { once } from 'node:events';
import { own } from '@assay/testing';
import { testProgram } from '../harness/processes/test-program.js';
import type { Noise, NoiseKind, NoiseResult, NoiseTarget } from './noise.js';

const PROGRAM = testProgram('overload/noise-process.ts');

/** Makes noise from a separate process, so that it does not delay the requests of the process that measures. */
export async function noiseFromProcess(target: NoiseTarget, kinds?: readonly NoiseKind[]): Promise<Noise> {
  const child = own(
    fork(PROGRAM.file, {
      execArgv: PROGRAM.execArgv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  await once(child, 'message');
  child.send({ target, kinds });
  return {
    stop: async () => {
      const ended = once(child, 'message');
      child.send('stop');
      const [result] = (await ended) as [NoiseResult];
      return result;
    },
  };
}
