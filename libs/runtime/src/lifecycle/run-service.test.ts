import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../test/run-slow-service.cjs');

/** Sends signals to a service that has printed that it listens and whose start has not ended, then ends its start. Resolves with how it ends. */
async function signalDuringStart(signals: readonly NodeJS.Signals[], ...args: readonly string[]) {
  const service = spawn(process.execPath, ['--max-semi-space-size=64', MAIN, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(service, 'close');
  await once(service.stdout, 'data');
  for (const signal of signals) service.kill(signal);
  service.stdin.on('error', () => {});
  service.stdin.write('.');
  return (await closed) as [code: number | null, signal: string | null];
}

describe('a service that has said that it listens, before its start has ended', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is closed in order by %s', async (signal) => {
    expect(await signalDuringStart([signal])).toEqual([0, null]);
  });

  it('ends with 1 on a second signal', async () => {
    expect(await signalDuringStart(['SIGTERM', 'SIGINT'], 'stuck')).toEqual([1, null]);
  });
});
