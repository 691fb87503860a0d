import { setMaxListeners } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere, silentLogger, waitFor } from '@assay/testing';
import { changeCalls, PYTHON } from '../test/environments.js';
import type { PythonCall, PythonRunner, PythonRunnerOptions } from './python-runner.js';
import { startPythonRunner } from './start-python-runner.js';

const CANARY = 'canary-of-the-environment';

const callOf = (call: Partial<PythonCall> = {}): PythonCall => ({
  projectId: 'project',
  source: 'result = 1',
  metricName: 'metric',
  returnType: 'float',
  event: {},
  timeoutMs: 1_000,
  ...call,
});

const LOOP = { source: 'while True: pass', timeoutMs: 40 };

describe('startPythonRunner', () => {
  let folder: string;
  let runner: PythonRunner | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-runner-test-'));
  });
  afterEach(async () => {
    await runner?.close();
    runner = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (options: Partial<PythonRunnerOptions> = {}): Promise<PythonRunner> => {
    runner = await startPythonRunner({ workers: 1, temporaryFolder: folder, log: silentLogger, ...options });
    return runner;
  };

  /** Ids of processes that have the folder of this test in their arguments. */
  const processIds = async (): Promise<number[]> => {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
    return ids.filter((_, index) => lines[index]?.includes(`${folder}/`)).map(Number);
  };

  /** The process that this one started; the others are its children. Their ids say nothing, because the kernel begins again at low ones. */
  const serverOf = async (ids: readonly number[]): Promise<number> => {
    const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')));
    const server = ids[stats.findIndex((stat) => Number(stat.split(') ')[1]?.split(' ')[1]) === process.pid)];
    if (server === undefined) throw new Error('no process of the runner is a child of this one');
    return server;
  };

  it('refuses metrics with a reason when there is no Python', async () => {
    const refusing = await start({ command: ['no-such-python'] });
    expect(refusing.state).toMatchObject({
      available: false,
      reason: expect.stringContaining('no-such-python cannot be started (ENOENT)') as string,
    });
    expect(await refusing.evaluate(callOf())).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses metrics with a reason when the command is no Python', async () => {
    const refusing = await start({ command: ['sh', '-c', 'echo "this is a shell" >&2; exit 3', 'sh'] });
    expect(refusing.state).toMatchObject({ reason: expect.stringContaining('this is a shell') as string });
  });

  it('refuses metrics with a reason when it cannot make a working folder', async () => {
    const refusing = await start({ temporaryFolder: join(folder, 'missing') });
    expect(refusing.state).toMatchObject({ reason: expect.stringContaining('ENOENT') as string });
  });

  describeWhere({ describe, it }, 'with Python', PYTHON, () => {
    it.each([
      ['no seccomp', ['cannot enter the sandbox']],
      ['pretended seccomp', ['no network', 'no native code']],
      ['pretended landlock', ['files cannot be read']],
      ['pretended limits', ['memory is limited']],
    ] as const)('refuses metrics on a machine with %s', async (change, protections) => {
      const refusing = await start({ command: ['python3', ...changeCalls(change), 'python3'] });
      const reason = refusing.state.available ? '' : refusing.state.reason;
      expect(protections.filter((protection) => !reason.includes(protection))).toEqual([]);
      expect(await refusing.evaluate(callOf())).toMatchObject({ error: { code: 'unavailable' } });
      expect(await processIds()).toEqual([]);
    });

    it('keeps the environment of the product from the processes of metrics', async () => {
      await start({ command: ['env', `ASSAY_SECRET=${CANARY}`, 'python3'] });
      const environments = await Promise.all(
        (await processIds()).map((id) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')),
      );
      expect(environments.join()).not.toContain(CANARY);
      const source = 'import os\nresult = str(os.environ)';
      const outcome = await runner!.evaluate(callOf({ source, returnType: 'string' }));
      expect(outcome).toMatchObject({ value: 'environ({})' });
    });

    it('starts a process again after it was killed, and its children end with it', async () => {
      const restarting = await start();
      const killed = await waitFor('a child is ready', async () => {
        const ids = await processIds();
        return ids.length > 1 && ids;
      });
      process.kill(await serverOf(killed), 'SIGKILL');
      await waitFor('a metric is evaluated again', async () => (await restarting.evaluate(callOf())).ok);
      const left = await processIds();
      expect(left.filter((id) => killed.includes(id))).toEqual([]);
    });

    it('kills a process that does not respond', async () => {
      const hanging = await start();
      process.kill(await serverOf(await processIds()), 'SIGSTOP');
      expect(await hanging.evaluate(callOf({ timeoutMs: 10 }))).toMatchObject({
        error: { code: 'unavailable' },
      });
      await waitFor('a metric is evaluated again', async () => (await hanging.evaluate(callOf())).ok);
    });

    it('shares its process fairly, refuses what exceeds its queue, and drops cancelled calls', async () => {
      const shared = await start();
      const cancel = new AbortController();
      setMaxListeners(0, cancel.signal);
      let finished = 0;
      const loops = Array.from({ length: 300 }, async () => {
        const outcome = await shared.evaluate(callOf({ ...LOOP, projectId: 'loud' }), cancel.signal);
        finished++;
        return outcome.ok ? 'ok' : outcome.error.message;
      });
      await waitFor('calls beyond the queue are refused', () => finished >= 43);
      const before = finished;
      expect(await shared.evaluate(callOf({ projectId: 'quiet' }))).toMatchObject({ ok: true });
      expect(finished - before).toBeLessThan(5);
      cancel.abort();
      const messages = await Promise.all(loops);
      expect(messages.filter((message) => message.startsWith('too many'))).toHaveLength(43);
      expect(messages.filter((message) => message === 'cancelled').length).toBeGreaterThan(200);
    });

    it('ends every process and call when it is closed', async () => {
      const closing = await start({ workers: 2 });
      const calls = Array.from({ length: 5 }, () => closing.evaluate(callOf({ ...LOOP, timeoutMs: 200 })));
      await closing.close();
      const codes = (await Promise.all(calls)).map((outcome) => (outcome.ok ? 'ok' : outcome.error.code));
      expect(codes.slice(2)).toEqual(['unavailable', 'unavailable', 'unavailable']);
      expect(await processIds()).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
      expect(await closing.evaluate(callOf())).toMatchObject({ error: { code: 'unavailable' } });
    });
  });
});
