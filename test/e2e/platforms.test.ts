import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RegistryStub } from '../harness/processes/registry-stub.js';
import { runNode } from '../harness/processes/run-node.js';
import { copySources } from '../harness/stack/installed-clone.js';
import { repository } from '../harness/stack/repository.js';

const FAKE = join(repository, 'test/harness/processes/fake-platform.cjs');
const INSTEAD =
  'use Linux x64 with glibc (a virtual machine, WSL 2 or the container image), or the separate services with a ClickHouse server ' +
  '(docs/kubernetes.md)\n';
const CHDB = JSON.parse(
  readFileSync(join(repository, 'libs/event-store/node_modules/chdb/package.json'), 'utf8'),
) as { readonly optionalDependencies: Readonly<Record<string, string>> };
const PACKAGES = {
  'darwin-arm64': '@chdb/lib-darwin-arm64',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
};

const ASSEMBLE = 'deploy/docker/assemble.mjs';
/** Other programs than those of `npm start`. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  image: [ASSEMBLE, 'out', 'standalone'],
  images: [ASSEMBLE, 'out', 'ingestion', 'data-plane', 'evaluator', 'control-plane'],
};

/** A fresh clone with nothing installed, and a registry. The tests run its programs as `npm start` does. */
describe('the first start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-platforms-'));
  const clone = join(folder, 'clone');
  let registry: RegistryStub;

  beforeAll(async () => {
    mkdirSync(clone);
    copySources(clone, ['package.json', 'pnpm-lock.yaml', 'libs/tooling', 'deploy/docker']);
    registry = await RegistryStub.start(folder);
  });
  beforeEach(() => {
    registry.requests.length = 0;
    registry.refusal = 404;
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (program: string, platform: string, more: Readonly<Record<string, string>> = {}) =>
    runNode(['--require', FAKE, ...(PROGRAMS[program] ?? [`libs/tooling/run/${program}.mjs`])], clone, {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, FAKE_PLATFORM: platform },
      ...{ npm_config_registry: registry.url, npm_config_cache: join(folder, 'npm'), ...more },
    });

  it.each(['win32-x64', 'win32-arm64', 'linux-x64-musl', 'linux-arm64-musl', 'linux-s390x', 'freebsd-x64'])(
    'is refused on %s by one sentence, before anything is asked for or installed',
    async (platform) => {
      const reason = 'chDB, its event store, has no library for it';
      const stderr = `the single process does not run on ${platform}, because ${reason}: ${INSTEAD}`;
      for (const program of ['check-platform', 'start'])
        expect(await run(program, platform)).toEqual({ code: 78, stdout: '', stderr });
      expect([registry.requests, existsSync(join(clone, 'node_modules'))]).toEqual([[], false]);
    },
  );

  describe.each(Object.entries(PACKAGES))('on %s', (platform, name) => {
    const version = CHDB.optionalDependencies[name]!;

    it.each([401, 403, 404])(
      `is refused by one sentence when the registry responds %d for ${name}, before anything is installed`,
      async (status) => {
        registry.refusal = status;
        const reason = `the registry has no ${name} in version ${version}`;
        const stderr = `the single process does not run on ${platform}, because ${reason}: ${INSTEAD}`;
        expect(await run('start', platform)).toEqual({ code: 78, stdout: '', stderr });
        expect([...new Set(registry.requests)]).toEqual([name]);
        expect(existsSync(join(clone, 'node_modules'))).toBe(false);
        expect(existsSync(join(folder, '.cache'))).toBe(false);
      },
    );

    it('says when the registry cannot be reached, which is no matter of the platform', async () => {
      const more = { npm_config_registry: 'http://127.0.0.1:9/' };
      const { code, stdout, stderr } = await run('start', platform, more);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`${name} ${version} could not be installed: ECONNREFUSED, `);
      expect(stderr).toMatch(/^[^\n]*127\.0\.0\.1:9[^\n]*\n$/);
    });
  });

  it('is refused when the registry has other versions of the package only', async () => {
    const name = PACKAGES['darwin-arm64'];
    registry.add({ name, version: '26.9.9', main: '' });
    const { code, stderr } = await run('start', 'darwin-arm64');
    expect([code, stderr]).toEqual([78, expect.stringContaining(`the registry has no ${name} in version `)]);
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('is refused in the build of the image too, and that of the other images is not', async () => {
    const { code, stdout, stderr } = await run('image', 'linux-arm64');
    const reason = `the registry has no ${PACKAGES['linux-arm64']} in version `;
    expect([code, stdout, stderr]).toEqual([78, '', expect.stringContaining(reason)]);
    expect(existsSync(join(clone, 'out'))).toBe(false);
    // Its first step is pnpm, which this registry does not have.
    const other = await run('images', 'linux-arm64');
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('pnpm 10.')]);
  });

  it('downloads exactly the version of the manifest where the registry has it, before any other package', async () => {
    const name = PACKAGES['darwin-x64'];
    const version = CHDB.optionalDependencies[name]!;
    registry.add({ name, version, main: '' });
    const { code, stderr } = await run('start', 'darwin-x64');
    // Nothing else is in this registry: the install of pnpm ends the start.
    expect([code, stderr]).toEqual([1, expect.stringContaining('pnpm 10.')]);
    const asked = [...new Set(registry.requests)];
    expect(asked.slice(0, 2)).toEqual([name, `${name}/-/lib-darwin-x64-${version}.tgz`]);
    const kept = join(folder, '.cache/assay-engines', `chdb-lib-darwin-x64-${version}/node_modules`, name);
    expect(JSON.parse(readFileSync(join(kept, 'package.json'), 'utf8'))).toMatchObject({ name, version });
  });

  it.each(['20.18.3', '18.20.8', '16.0.0'])('is refused on Node %s', async (version) => {
    const stderr = `Assay needs Node 20.19 or newer, this is ${version}: install Node 24\n`;
    const more = { FAKE_NODE: version };
    for (const program of ['check-platform', 'start'])
      expect(await run(program, 'linux-x64', more)).toEqual({ code: 78, stdout: '', stderr });
  });
});

it('the list of platforms is the one of chDB', async () => {
  const program =
    'import(process.argv[1]).then(({ ENGINE_PACKAGES }) => console.log(JSON.stringify(ENGINE_PACKAGES)))';
  const module = join(repository, 'libs/tooling/run/platform.mjs');
  const { stdout } = await runNode(['--eval', program, module], repository, {});
  const packages = Object.values(JSON.parse(stdout) as Record<string, string>);
  expect(packages.sort()).toEqual(Object.keys(CHDB.optionalDependencies).sort());
  // The lock file names one of them, whose version stands for all.
  const locked = readFileSync(join(repository, 'pnpm-lock.yaml'), 'utf8');
  const [, version] = /^ {2}'@chdb\/lib-linux-x64-gnu@(.+)':$/m.exec(locked) ?? [];
  expect([...new Set(Object.values(CHDB.optionalDependencies))]).toEqual([version]);
});
