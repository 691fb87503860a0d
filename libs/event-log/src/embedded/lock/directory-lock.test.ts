import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { lutimesSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemCode } from '../files/file-system.js';
import { lockDirectory } from './directory-lock.js';
import { ownIdentity } from './process-identity.js';

const HOLD_LOCK = join(__dirname, '../../../test/hold-lock.cjs');
const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const hasNamespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

describe('the lock on a directory', () => {
  let dir: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  });

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  /** Starts a process that takes the lock. @returns its first line of output, and the process */
  const start = async (prefix: readonly string[] = [], options = '{}') => {
    const [program = process.execPath, ...args] = [...prefix, process.execPath, HOLD_LOCK, dir, options];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout })) return { line, child };
    throw new Error('the process ended without a word');
  };
  const owners = () => readdirSync(dir).filter((name) => name.startsWith('owner-'));
  const addOwner = (identity: Partial<ReturnType<typeof ownIdentity>>, ageMs: number) => {
    const { boot, namespace, pid, start: ticks } = { ...ownIdentity(), ...identity };
    const path = join(dir, 'owner-00000000000000aa');
    symlinkSync(`${boot}:${namespace}:${pid}:${ticks}`, path);
    const seen = new Date(Date.now() - ageMs);
    lutimesSync(path, seen, seen);
  };

  it('is held by one process at a time, and by one owner within it', async () => {
    const { line, child } = await start();
    expect(line).toBe('locked');
    expect(codeOf(() => lockDirectory(dir))).toBe('CONFLICT');
    expect(owners()).toHaveLength(1);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const lock = lockDirectory(dir);
    expect(codeOf(() => lockDirectory(dir))).toBe('CONFLICT');
    lock.release();
    expect(owners()).toEqual([]);
  });

  it('is free after its process was killed, also while the parent has not reaped it', async () => {
    const keepZombie = `${process.execPath} ${HOLD_LOCK} ${dir} & exec sleep 1000`;
    const { line, child } = await startShell(keepZombie, children);
    expect(line).toBe('locked');
    const pid = childOf(child.pid ?? 0);
    process.kill(pid, 'SIGKILL');
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await new Promise(setImmediate);
    lockDirectory(dir).release();
  });

  it('is free when another process got the same process id', () => {
    addOwner({ pid: process.ppid, start: '1' }, 0);
    lockDirectory(dir).release();
  });

  it('is held by a running process, however old its heartbeat is', () => {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    addOwner({ pid: process.ppid, start: ticks }, 3_600_000);
    expect(codeOf(() => lockDirectory(dir))).toBe('CONFLICT');
  });

  for (const other of [{ boot: 'another-boot' }, { namespace: '1' }])
    it(`goes by the heartbeat of an owner with another ${Object.keys(other).join()}`, () => {
      addOwner({ ...other, pid: 1 }, 20_000);
      expect(codeOf(() => lockDirectory(dir))).toBe('CONFLICT');
      expect(owners()).toEqual(['owner-00000000000000aa']);
      const seen = new Date(Date.now() - 31_000);
      lutimesSync(join(dir, 'owner-00000000000000aa'), seen, seen);
      lockDirectory(dir).release();
      expect(owners()).toEqual([]);
    });

  it('is reported as lost by an owner whose place another one took', async () => {
    const lock = lockDirectory(dir, { heartbeatMs: 5 });
    lock.assertHeld();
    for (const name of owners()) rmSync(join(dir, name));
    await waitFor(() => codeOf(() => lock.assertHeld()) !== undefined);
    expect(codeOf(() => lock.assertHeld())).toBe('UNAVAILABLE');
    lock.release();
  });

  it('keeps two containers apart whose processes both have the id 1', async () => {
    if (!hasNamespaces) {
      process.stderr.write('PID namespaces are not available here: the test with two of them did not run\n');
      return;
    }
    const options = JSON.stringify({ staleMs: 1_500, heartbeatMs: 100 });
    const first = await start(UNSHARE, options);
    expect(first.line).toBe('locked');
    expect((await start(UNSHARE, options)).line).toBe('CONFLICT');
    expect(owners()).toHaveLength(1);
    first.child.kill('SIGKILL');
    let line = '';
    await waitFor(async () => (line = (await start(UNSHARE, options)).line) === 'locked');
    expect(line).toBe('locked');
    expect(owners()).toHaveLength(1);
  });
});

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return systemCode(error);
  }
}

async function startShell(script: string, children: ChildProcess[]) {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { line, child };
  throw new Error('the process ended without a word');
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('waited too long');
    await new Promise(setImmediate);
  }
}
