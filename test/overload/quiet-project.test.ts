import { startStandalone } from '../harness/stack/start-standalone.js';
import { onStack } from '../harness/stack/on-stack.js';
import { expectUndisturbed } from './quiet-project.js';

/** Long enough also on a machine on which everything takes several times as long. */
const STALL_MS = 3_000;
const NO_ATTACK = () => Promise.resolve(() => Promise.resolve());

describe('the comparison of a quiet project alone and beside an attack', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('passes beside nothing', async () => {
    await expectUndisturbed(stack, NO_ATTACK, { durationMs: 2_000 });
  }, 120_000);

  it('fails beside something that stops the process for seconds', async () => {
    const pid = stack.pid('standalone');
    let resumed: Promise<void> = Promise.resolve();
    const stall = () => {
      process.kill(pid, 'SIGSTOP');
      resumed = new Promise((resume) => setTimeout(resume, STALL_MS)).then(
        () => void process.kill(pid, 'SIGCONT'),
      );
      return Promise.resolve(() => resumed);
    };
    await expect(expectUndisturbed(stack, stall, { durationMs: 2_000 })).rejects.toThrow('/healthz took');
  }, 120_000);
});
