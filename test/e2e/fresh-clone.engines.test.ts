import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, waitFor } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import { copySources } from '../harness/stack/installed-clone.js';
import { NO_GRPC, startStandalone } from '../harness/stack/start-standalone.js';
import { declareJourneys, INGEST_JOURNEYS, SESSION_JOURNEYS } from './journeys.js';

const LISTENS = /Assay listens on (http:\S+) \(admin http:\S+\)\n(?:Open the console, [^:]+: \S+\n)?$/;
const PATIENT = { withinMs: 300_000 } as const;
const TEST_WITHIN_MS = 600_000;
const JOURNEYS = [...INGEST_JOURNEYS, ...SESSION_JOURNEYS].filter(({ name }) =>
  ['bad input', 'clients', 'sessions', 'runs'].includes(name),
);

/** `npm start` as its first user runs it: a clone, an empty home folder, and the registry that npm of this machine is configured with. */
describe('a fresh clone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fresh-clone-'));
  const clone = join(folder, 'clone');
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const environment = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, npm_config_registry: registry },
    ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
  };

  beforeAll(() => {
    mkdirSync(clone);
    copySources(clone, ['.']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }), TEST_WITHIN_MS);

  interface Running {
    readonly child: ChildProcess;
    readonly closed: Promise<unknown>;
    readonly output: { text: string };
  }

  function npm(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Running {
    const env = { ...environment, ...settings };
    const child = own(
      spawn('npm', args, { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
    return { child, closed: once(child, 'close'), output };
  }

  /** Two starts of one folder that share neither ports nor data. */
  async function npmStart(name: string): Promise<Running> {
    return npm(['start'], {
      ...{ ...NO_GRPC, ASSAY_DATA_DIR: join(folder, name) },
      ...{ ASSAY_PORT: String(await freePort()), ASSAY_ADMIN_PORT: String(await freePort()) },
    });
  }

  const reaches = (what: string, { child, output }: Running, pattern: RegExp) =>
    waitFor(
      what,
      () => {
        if (child.exitCode !== null) throw new Error(`npm ended with ${child.exitCode}: ${output.text}`);
        return Promise.resolve(pattern.exec(output.text) ?? undefined);
      },
      PATIENT,
    );

  /** The signal is for the group of the command, as that of a terminal. */
  async function stop({ child, closed }: Running): Promise<void> {
    process.kill(-child.pid!, 'SIGTERM');
    expect(await closed).toEqual([0, null]);
  }

  it(
    'is started twice together: one start installs and compiles, and both serve',
    async () => {
      const starts = [await npmStart('left'), await npmStart('right')];
      for (const start of starts) await reaches('the product listens', start, LISTENS);
      const count = (pattern: RegExp) => starts.filter(({ output }) => pattern.test(output.text)).length;
      expect([
        count(/^Installing pnpm … /m),
        count(/^Installing packages … /m),
        count(/^Compiling … /m),
      ]).toEqual([1, 1, 1]);
      expect(count(/^Waiting for process \d+, which installs or compiles here$/m)).toBe(1);
      for (const start of starts) await stop(start);
      expect(
        execFileSync(join(clone, 'node_modules/.bin/assay'), ['--version'], { encoding: 'utf8' }),
      ).toMatch(/^assay /);
      expect(existsSync(join(clone, 'node_modules/jest'))).toBe(false);
    },
    TEST_WITHIN_MS,
  );

  it(
    'starts after a start that was killed in the middle of its install',
    async () => {
      for (const name of ['clone/node_modules', '.local', '.cache'])
        rmSync(join(folder, name), { recursive: true, force: true });
      const killed = await npmStart('killed');
      const store = join(clone, 'node_modules/.pnpm');
      const isHalfInstalled = () => existsSync(store) && readdirSync(store).length > 20;
      await waitFor('some packages are installed', () => Promise.resolve(isHalfInstalled()), PATIENT);
      expect(killed.output.text).toMatch(/^Installing packages … $/m);
      process.kill(-killed.child.pid!, 'SIGKILL');
      await killed.closed;
      expect(readFileSync(join(clone, 'node_modules/.assay-installed'), 'utf8')).toBe('unfinished running');

      const again = await npmStart('again');
      await reaches('the product listens', again, LISTENS);
      expect(again.output.text).toMatch(/^Installing packages … \d+\.\d s$/m);
      await stop(again);
    },
    TEST_WITHIN_MS,
  );

  declareJourneys(JOURNEYS, 'on stripped types', ({ settings, everywhere }) =>
    startStandalone({ ...NO_GRPC, ...everywhere, ...settings }, clone),
  );

  it(
    'runs its tests after a start, which installs the rest and compiles again, and starts after them without an install',
    async () => {
      const tests = npm(['run', 'test:unit', '--', 'libs/errors', '--passWithNoTests']);
      expect([await tests.closed, tests.output.text]).toEqual([[0, null], expect.anything()]);
      expect(tests.output.text).toMatch(/^Installing packages, with those of development … \d+\.\d s$/m);
      expect(existsSync(join(clone, 'libs/errors/dist/index.d.ts'))).toBe(true);

      const start = await npmStart('after tests');
      await reaches('the product listens', start, LISTENS);
      expect(start.output.text).not.toMatch(/^(?:Installing|Compiling)/m);
      await stop(start);
    },
    TEST_WITHIN_MS,
  );
});
