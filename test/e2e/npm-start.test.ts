import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, waitFor } from '@assay/testing';
import { RegistryStub } from '../harness/processes/registry-stub.js';
import { runNode } from '../harness/processes/run-node.js';
import { freePort } from '../harness/stack/free-port.js';
import { makeInstalledClone } from '../harness/stack/installed-clone.js';
import { repository } from '../harness/stack/repository.js';

const LISTENS = /Assay listens on (http:\S+) \(admin (http:\S+)\)\n(?:Open the console, [^:]+: \S+\n)?$/;
const PATIENT = { withinMs: 120_000 } as const;
const TEST_WITHIN_MS = 240_000;
const LIBRARY = '@chdb/lib-linux-x64-gnu';
const INSTALLED = join(repository, 'node_modules/.pnpm/node_modules', LIBRARY);
const { version } = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8')) as { version: string };

interface Started {
  readonly url: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves once the product has ended as well, in order. */
  readonly stop: () => Promise<void>;
  /** The same by Ctrl-C, which sends a signal to npm and to each process below it. */
  readonly interrupt: () => Promise<void>;
}

describe('npm start on a clone with packages that were just installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-npm-start-'));
  const clone = join(folder, 'clone');
  const main = join(clone, 'deploy/standalone/dist/main.js');
  let registry: RegistryStub;
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    makeInstalledClone(clone, { hidesEngine: true });
    registry = await RegistryStub.start(folder);
    settings = {
      ...{ ASSAY_PORT: String(await freePort()), ASSAY_ADMIN_PORT: String(await freePort()) },
      ...{ ASSAY_OTLP_GRPC_PORT: '0', ASSAY_DATA_DIR: join(folder, 'data') },
      ...{ PATH: process.env.PATH ?? '', HOME: folder },
      ...{ npm_config_registry: registry.url, npm_config_cache: join(folder, 'npm') },
    };
  }, TEST_WITHIN_MS);
  afterAll(async () => {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function npmStart(): { npm: ChildProcess; output: { stdout: string; stderr: string } } {
    const npm = own(
      spawn('npm', ['start'], {
        ...{ cwd: clone, env: settings, detached: true },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const output = { stdout: '', stderr: '' };
    npm.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    npm.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    return { npm, output };
  }

  async function start(): Promise<Started> {
    const { npm, output } = npmStart();
    const closed = once(npm, 'close');
    const listens = () => {
      if (npm.exitCode !== null)
        throw new Error(`npm start ended with ${npm.exitCode}: ${output.stdout}${output.stderr}`);
      return Promise.resolve(LISTENS.exec(output.stdout)?.[1]);
    };
    const url = await waitFor('the product listens', listens, PATIENT);
    const end = async (signal: () => unknown) => {
      signal();
      expect(await closed).toEqual([0, null]);
      expect(output.stderr).toContain('"shutting down"');
    };
    return {
      ...{ url, ...output },
      stop: () => end(() => npm.kill('SIGTERM')),
      interrupt: () => end(() => process.kill(-npm.pid!, 'SIGINT')),
    };
  }

  it(
    'is refused by one sentence when the library of the event store is in no registry, before it compiles anything',
    async () => {
      const { npm, output } = npmStart();
      expect(await once(npm, 'close')).toEqual([78, null]);
      const reason = `the registry has no ${LIBRARY} in version ${version}`;
      expect(output.stderr.split('\n')).toEqual([
        expect.stringContaining(`the single process does not run on linux-x64, because ${reason}: use `),
        '',
      ]);
      expect(existsSync(join(clone, 'libs/errors/dist'))).toBe(false);
    },
    TEST_WITHIN_MS,
  );

  it(
    `installs the library that the registry has, strips types, and starts the product on Node ${process.version}`,
    async () => {
      registry.add({
        name: LIBRARY,
        version,
        main: `module.exports = require(${JSON.stringify(INSTALLED)});`,
      });
      const { url, stdout, stderr, stop } = await start();
      const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      expect(lines).toEqual([
        expect.stringMatching(/^Installing @chdb\/lib-linux-x64-gnu … \d+\.\d s$/),
        expect.stringMatching(/^Compiling … \d+\.\d s$/),
        expect.stringMatching(/^Building the console … \d+\.\d s$/),
      ]);
      expect(stdout).toMatch(
        /\nAssay started in \d+\.\d s\nAssay listens on http:\S+ \(admin http:\S+\)\n(?:Open the console, [^:]+: \S+\n)?$/,
      );

      const page = await fetch(url, { headers: { accept: 'text/html' } });
      expect(page.url).toBe(`${url}/console/`);
      expect(await page.text()).toContain('<div id="root">');
      const [, key = ''] = /^ {2}(\S{20,})$/m.exec(stdout) ?? [];
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ event_type: 'tool', inputs: { question: 'Hello?' } });
      const written = await fetch(`${url}/v1/events`, { method: 'POST', headers, body });
      const { event_id } = (await written.json()) as { event_id: string };
      const read = await fetch(`${url}/v1/events/${event_id}`, {
        headers: { ...headers, prefer: 'wait=30' },
      });
      expect([read.status, await read.json()]).toMatchObject([200, { event: { event_id } }]);
      await stop();
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
    TEST_WITHIN_MS,
  );

  it(
    'does nothing but start the next time, asks no registry and compiles nothing',
    async () => {
      registry.requests.length = 0;
      const compiledAt = statSync(main).mtimeMs;
      const { stderr, interrupt } = await start();
      expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
      expect([registry.requests, statSync(main).mtimeMs]).toEqual([[], compiledAt]);
      await interrupt();
    },
    TEST_WITHIN_MS,
  );

  it('is explained by the product itself, as in an image, when the library is absent', async () => {
    rmSync(join(clone, 'node_modules/@chdb'), { recursive: true });
    const { code, stdout, stderr } = await runNode([main], folder, settings);
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr.split('\n').slice(-2)).toEqual([
      expect.stringMatching(
        /^the single process does not run on linux-x64, because the native library of chDB, .* is not installed: use /,
      ),
      '',
    ]);
  });
});
