import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endOwnedProcesses, own } from './owned-processes.js';
import { waitFor } from './wait-for.js';

const OWNER = join(__dirname, '../test/own-a-child.cjs');
const runs = (pid: number) => existsSync(`/proc/${pid}`);

describe('own', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'ends the child when its parent dies of %s',
    async (signal) => {
      const parent = spawn(process.execPath, [OWNER], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const childPid = Number(line.toString());
      expect(runs(childPid)).toBe(true);
      parent.kill(signal);
      await waitFor('the child has ended', () => !runs(childPid));
    },
  );

  it('leaves a child alone that has been ended by its owner', async () => {
    const child = own(spawn('sleep', ['1000'], { stdio: 'ignore' }));
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGTERM');
    expect(await endOwnedProcesses()).toEqual([]);
  });
});

describe('endOwnedProcesses', () => {
  it('kills what still runs and returns its ids', async () => {
    const children = ['1000', '1001'].map((seconds) => own(spawn('sleep', [seconds], { stdio: 'ignore' })));
    expect(await endOwnedProcesses()).toEqual(children.map(({ pid }) => pid));
    expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', 'SIGKILL']);
  });
});
