import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { own } from '@assay/testing';
import { repository } from '../harness/stack/repository.js';

const file = (path: string) => readFileSync(join(repository, path), 'utf8');
const matches = (content: string, pattern: RegExp) =>
  [...content.matchAll(pattern)].map(([, found]) => found!);

describe('what a build downloads', () => {
  it('is pinned by a hash', () => {
    const workflows = readdirSync(join(repository, '.github/workflows')).map((name) =>
      file(`.github/workflows/${name}`),
    );
    const actions = workflows.flatMap((content) => matches(content, /uses: (.+)$/gm));
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const images = [
      ...matches(file('deploy/docker/Dockerfile'), /^ARG \w+_IMAGE=(.+)$/gm),
      ...matches(file('deploy/compose/compose.deps.yml'), /^ +image: (.+)$/gm),
    ];
    expect(images).toHaveLength(4);
    for (const image of images) expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    const { packageManager } = JSON.parse(file('package.json')) as { packageManager: string };
    expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
  });
});

describe('the pinned pnpm', () => {
  const MODULE = join(repository, 'libs/tooling/run/pinned-pnpm.mjs');
  const RUN =
    'const [url, pin, cache] = process.argv.slice(1); const { pinnedPnpm } = await import(url); console.log(await pinnedPnpm(pin, { cache }));';
  const folder = mkdtempSync(join(tmpdir(), 'pinned-pnpm-'));
  let registry: Server;
  let archive: Buffer;

  beforeAll(async () => {
    const source = join(folder, 'source');
    mkdirSync(join(source, 'bin'), { recursive: true });
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'pnpm', version: '99.0.0' }));
    writeFileSync(join(source, 'bin/pnpm.cjs'), "console.log('the pinned program')");
    const { status, stderr } = spawnSync('npm', ['pack', source], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    archive = readFileSync(join(folder, 'pnpm-99.0.0.tgz'));
    registry = createServer(({ url }, response) => {
      const tarball = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/pnpm.tgz`;
      const manifest = { name: 'pnpm', version: '99.0.0', dist: { tarball } };
      response.end(
        url === '/pnpm.tgz' ? archive : JSON.stringify({ name: 'pnpm', versions: { '99.0.0': manifest } }),
      );
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(async () => {
    registry.closeAllConnections();
    registry.close();
    await once(registry, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  const install = async (pin: string, cache: string) => {
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      npm_config_cache: join(folder, `npm-of-${cache}`),
      npm_config_fetch_retries: '0',
    };
    const args = ['--input-type=module', '--eval', RUN, MODULE, pin, join(folder, cache)];
    const child = own(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout: stdout.trim(), stderr };
  };
  const pinOf = (content: Buffer | string) =>
    `pnpm@99.0.0+sha512.${createHash('sha512').update(content).digest('hex')}`;

  it('is installed and runs when the package has the hash', async () => {
    const { code, stdout, stderr } = await install(pinOf(archive), 'right');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const { stdout: printed } = spawnSync(process.execPath, [stdout], { encoding: 'utf8' });
    expect(printed).toBe('the pinned program\n');
  });

  it('is not installed when the package has another hash', async () => {
    const { code, stderr } = await install(pinOf('another package'), 'wrong');
    expect(code).toBe(1);
    expect(stderr).toContain('EINTEGRITY');
    expect(stderr).toContain('pnpm 99.0.0 could not be installed');
    expect(readdirSync(join(folder, 'wrong'))).toEqual([]);
  });

  it.each(['pnpm@10', 'pnpm@10.34.9', 'yarn@1.0.0', ''])(
    'is not downloaded for the pin "%s"',
    async (pin) => {
      expect(await install(pin, 'none')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('packageManager must be pnpm@<version>+sha512.<hash>') as string,
      });
    },
  );
});
