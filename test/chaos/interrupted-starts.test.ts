import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, waitFor } from '@assay/testing';
import { mountSmallDisk, type SmallDisk } from '../harness/disk/small-disk.js';
import { RegistryStub } from '../harness/processes/registry-stub.js';
import { LIBRARY, makeSmallClone, TOOL } from '../harness/stack/small-clone.js';

const LISTENS = 'Assay listens on http://127.0.0.1:1 (admin http://127.0.0.1:2), with its library\n';
const INSTALLS =
  /^Installing packages … \d+\.\d s\nCompiling … \d+\.\d s\nBuilding the console … \d+\.\d s\n$/;
const PATIENT = { withinMs: 60_000 } as const;
const TEST_WITHIN_MS = 120_000;
const DISK_MIB = 24;
const PADDING_BYTES = 6 << 20;

/** The programs of `npm start` on a clone with tiny packages and a registry on loopback. */
describe('the first start', () => {
  let folder: string;
  let registry: RegistryStub;
  let disk: SmallDisk | undefined;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-interrupted-'));
    registry = await RegistryStub.start(folder);
  });
  afterEach(async () => {
    await registry.stop();
    disk?.remove();
    disk = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  interface Start {
    readonly child: ChildProcess;
    readonly output: { stdout: string; stderr: string };
    readonly ended: Promise<unknown>;
  }

  function start(on = folder, more = {}, program = ['start.mjs']): Start {
    const environment = {
      ...{ PATH: process.env.PATH, HOME: join(on, 'home'), npm_config_registry: registry.url },
      ...{ npm_config_fetch_retries: '0', npm_config_cache: join(on, 'npm') },
      ...more,
    };
    const child = own(
      spawn(process.execPath, [`libs/tooling/run/${program[0]}`, ...program.slice(1)], {
        ...{ cwd: join(on, 'clone'), env: environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const ended = once(child, 'exit').then(([code]: unknown[]) => code);
    return { child, output, ended };
  }

  async function startsAgain(on = folder): Promise<void> {
    const { output, ended } = start(on);
    expect([await ended, output]).toEqual([
      0,
      { stdout: LISTENS, stderr: expect.stringMatching(INSTALLS) as string },
    ]);
  }

  /** Resolves, with a function that lets the registry respond, once an install asks for a package. */
  function holdPackage(name = LIBRARY): { asked: Promise<void>; respond: () => void } {
    let respond = () => undefined as void;
    const released = new Promise<void>((resolve) => (respond = resolve));
    const asked = new Promise<void>((resolve) => {
      registry.hold = (path) => {
        if (!path.startsWith(`${name}/-/`)) return Promise.resolve();
        resolve();
        return released;
      };
    });
    return { asked, respond };
  }

  /** Returns the id of the process by which a start installs. */
  function installerOf({ pid }: ChildProcess): number {
    const modules = join(folder, 'clone/node_modules');
    const owners = readdirSync(modules).filter((name) => name.startsWith('.assay-owner-'));
    const ids = owners.map((name) => parseInt(readlinkSync(join(modules, name)), 10));
    const [installs = 0, ...more] = ids.filter((id) => id !== pid);
    expect([more, installs > 0]).toEqual([[], true]);
    return installs;
  }

  const make = (on = folder, paddingBytes?: number) =>
    makeSmallClone(join(on, 'clone'), join(on, 'home'), registry, paddingBytes);

  it(
    'needs no program on the PATH, neither git nor Python nor npm',
    async () => {
      make();
      const { output, ended } = start(folder, { PATH: '' });
      expect([await ended, output.stdout]).toEqual([0, LISTENS]);
    },
    TEST_WITHIN_MS,
  );

  it(
    'is made by one of two starts that come together, and the other one waits for it',
    async () => {
      make();
      const { asked, respond } = holdPackage();
      const first = start();
      await asked;
      const second = start();
      const waits = /^Waiting for process \d+, which installs or compiles here\n/;
      await waitFor('the second one waits', () => Promise.resolve(waits.test(second.output.stderr)), PATIENT);
      respond();
      expect([await first.ended, await second.ended]).toEqual([0, 0]);
      expect([first.output.stdout, second.output.stdout]).toEqual([LISTENS, LISTENS]);
      expect(first.output.stderr).toMatch(/^Installing packages … /);
      expect(second.output.stderr).not.toContain('Installing');
      expect(registry.requests.filter((path) => path.endsWith('.tgz'))).toHaveLength(3);
    },
    TEST_WITHIN_MS,
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends by %s in the middle of the install with what it had begun, and a repetition installs all',
    async (signal) => {
      make();
      const { asked } = holdPackage();
      const { child, output, ended } = start();
      await asked;
      child.kill(signal);
      expect(await ended).toBe(1);
      expect(output).toEqual({ stdout: '', stderr: 'Installing packages … failed\ninterrupted\n' });
      registry.hold = () => Promise.resolve();
      await startsAgain();
    },
    TEST_WITHIN_MS,
  );

  it(
    'repairs the packages when the install of those of development was interrupted',
    async () => {
      make();
      await startsAgain();
      const { asked } = holdPackage(TOOL);
      const { child, ended } = start(folder, {}, ['with-pnpm.mjs', 'build']);
      await asked;
      child.kill('SIGTERM');
      expect(await ended).toBe(1);
      registry.hold = () => Promise.resolve();
      const { output, ended: again } = start();
      expect([await again, output.stdout]).toEqual([0, LISTENS]);
      expect(output.stderr).toMatch(/^Installing packages, with those of development … \d+\.\d s\n$/);
    },
    TEST_WITHIN_MS,
  );

  it(
    'leaves a program that installs, when it is killed alone, for which a repetition waits',
    async () => {
      make();
      const { asked, respond } = holdPackage();
      const { child, ended } = start();
      await asked;
      const installs = installerOf(child);
      // No process reads its output any more, so it would end at its next line.
      process.kill(installs, 'SIGSTOP');
      child.kill('SIGKILL');
      await ended;
      const again = start();
      const waits = () =>
        again.output.stderr === `Waiting for process ${installs}, which installs or compiles here\n`;
      await waitFor('the repetition waits', () => Promise.resolve(waits()), PATIENT);
      respond();
      process.kill(installs, 'SIGCONT');
      expect([await again.ended, again.output.stdout]).toEqual([0, LISTENS]);
    },
    TEST_WITHIN_MS,
  );

  it(
    'is refused with the reason when the registry ends a connection, and a repetition installs all',
    async () => {
      make();
      registry.hold = (path) =>
        path.startsWith('chdb/-/') ? Promise.reject(new Error()) : Promise.resolve();
      const { output, ended } = start();
      expect([await ended, output.stdout]).toEqual([1, '']);
      expect(output.stderr).toMatch(
        /^Installing packages … failed\nthe packages could not be installed:\n[^\n]*chdb-1\.0\.0\.tgz/,
      );
      expect(output.stderr).not.toContain('    at ');
      expect(existsSync(join(folder, 'clone/deploy/standalone/dist'))).toBe(false);
      registry.hold = () => Promise.resolve();
      await startsAgain();
    },
    TEST_WITHIN_MS,
  );

  it(
    'does not take the library for one that a platform may lack when its connection ends, and compares its hash when it comes',
    async () => {
      make();
      const breaks = (path: string) => path.startsWith(`${LIBRARY}/-/`);
      registry.hold = (path) => (breaks(path) ? Promise.reject(new Error()) : Promise.resolve());
      const lines = [
        'Installing packages … ',
        `Installing ${LIBRARY} … failed`,
        `${LIBRARY} 1.0.0 could not be installed: ECONNRESET, `,
        '',
      ];
      const first = start();
      expect([await first.ended, first.output.stdout]).toEqual([1, '']);
      expect(first.output.stderr.split('\n')).toEqual(
        lines.map((line) => expect.stringContaining(line) as string),
      );

      registry.hold = () => Promise.resolve();
      registry.add({ name: LIBRARY, version: '1.0.0', main: "module.exports = 'another library'" });
      const other = start();
      expect([await other.ended, other.output.stdout]).toEqual([1, '']);
      expect(other.output.stderr).toContain('EINTEGRITY');
      expect(existsSync(join(folder, 'clone/deploy/standalone/dist'))).toBe(false);
    },
    TEST_WITHIN_MS,
  );

  it(
    'is refused with the reason on a disk that is full in the middle of the install, and a repetition installs all',
    async () => {
      disk = mountSmallDisk(DISK_MIB);
      const on = disk.isMounted ? disk.dir : folder;
      make(on, PADDING_BYTES);
      if (disk.isMounted) {
        const { asked, respond } = holdPackage();
        const { output, ended } = start(on);
        await asked;
        disk.fill();
        respond();
        expect([await ended, output.stdout]).toEqual([1, '']);
        expect(output.stderr).toMatch(/ENOSPC|no space left on device/);
        expect(output.stderr).not.toContain('    at ');
        expect(existsSync(join(on, 'clone/deploy/standalone/dist'))).toBe(false);
        disk.free();
        registry.hold = () => Promise.resolve();
      }
      const again = start(on);
      expect([await again.ended, again.output.stdout]).toEqual([0, LISTENS]);
      if (disk.isMounted) {
        // A source has changed, and there is no space for what is compiled of it.
        rmSync(join(on, 'clone/node_modules/.assay-built'));
        disk.fill();
        const { output, ended } = start(on);
        expect([await ended, output.stdout]).toEqual([1, '']);
        expect(output.stderr).toMatch(/^(?:Compiling … failed\n)?ENOSPC: no space left on device, [^\n]+\n$/);
        disk.free();
        const last = start(on);
        expect([await last.ended, last.output.stdout]).toEqual([0, LISTENS]);
      }
      const links = readdirSync(join(on, 'clone/node_modules')).filter((name) =>
        name.startsWith('.assay-owner'),
      );
      expect(links).toEqual([]);
    },
    TEST_WITHIN_MS,
  );
});
