import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { own, waitFor } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, randomName } from '../harness/stack/start-split.js';
import { render, type Manifest } from './helm.js';
import { readImage } from './image.js';

const USER_ID = 65532;
const contained = join(__dirname, 'run-contained.sh');
const SECRETS: Readonly<Record<string, string>> = {
  'control-plane-token': 'control-plane-token-of-the-test',
  'key-pepper': 'pepper-of-the-image-test-stack',
  'admin-token': 'admin-token-of-the-test-stack',
  'first-key': 'first-key-of-the-image-test-stack',
};

interface Container {
  readonly image: string;
  readonly args?: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } };
  }[];
}

const work = mkdtempSync(join(tmpdir(), 'assay-images-'));
/** Containers need root and overlay mounts. Without them the programs run as this user. */
const canContain = ((): boolean => {
  if (process.getuid?.() !== 0) return false;
  const probe = ['probe', 'probe-app', 'probe-data'].map((name) => join(work, name));
  for (const folder of probe) mkdirSync(folder);
  return spawnSync(contained, [...probe, 'true']).status === 0;
})();

/** Runs the programs of the rendered chart with exactly their environment, arguments, user and read-only folders. */
describe('the containers of the chart', () => {
  const { kafkaBrokers, clickhouseUrl, mongodbUrl } = enginesFromEnvironment();
  const name = randomName();
  const ports = new Map<string, { readonly api: number; readonly admin: number; readonly grpc: number }>();
  const children: ChildProcess[] = [];
  let manifests: Manifest[];
  let query: string;
  const secrets = new Map(Object.entries({ ...SECRETS, url: mongodbUrl }));

  beforeAll(async () => {
    // The programs run as another user.
    chmodSync(work, 0o755);
    const assemble = join(repository, 'deploy/docker/assemble.mjs');
    const programs = ['ingestion', 'data-plane', 'evaluator', 'control-plane'];
    await promisify(execFile)(process.execPath, [assemble, join(work, 'out'), ...programs]);
    const ofAssay = (key: string) => ({ name: 'assay', key });
    manifests = await render({
      kafka: {
        brokers: kafkaBrokers.split(','),
        topicPrefix: `test-${name}-`,
        partitions: 3,
        replicationFactor: 1,
      },
      clickhouse: { url: clickhouseUrl, database: `test_${name}` },
      mongodb: { urlSecret: { name: 'mongodb', key: 'url' }, database: `test_${name}` },
      secrets: { adminToken: ofAssay('admin-token'), firstKey: ofAssay('first-key') },
    });
    for (const component of ['control-plane', 'ingestion', 'query', 'readers', 'evaluator'])
      ports.set(component, { api: await freePort(), admin: await freePort(), grpc: await freePort() });
    await finished(start('migrate'));
    for (const component of ports.keys()) await ready(component);
    query = `http://127.0.0.1:${ports.get('query')?.api}`;
  }, 600_000);

  afterAll(async () => {
    const codes = await Promise.all(children.map((child) => end(child)));
    rmSync(work, { recursive: true, force: true });
    expect(codes.every((code) => code === 0)).toBe(true);
  }, 60_000);

  function start(component: string): ChildProcess {
    const container = containerOf(manifests, component);
    const program = /\/([a-z-]+):/.exec(container.image)?.[1] ?? '';
    const image = readImage(program);
    expect(image.user).toBe(`${USER_ID}:${USER_ID}`);
    const own = ports.get(component);
    const environment = {
      ...image.environment,
      ...Object.fromEntries(container.env.map((variable) => [variable.name, valueOf(variable)])),
      // Each pod has an address of its own; here the ports differ.
      ...(own && { ASSAY_PORT: String(own.api), ASSAY_ADMIN_PORT: String(own.admin) }),
      ...(component === 'ingestion' && { ASSAY_OTLP_GRPC_PORT: String(own?.grpc) }),
      PATH: process.env.PATH,
    };
    const command = [process.execPath, ...image.entrypoint.slice(1), ...(container.args ?? [])];
    return run(component, join(work, 'out', program), command, environment);
  }

  function run(component: string, app: string, command: string[], env: NodeJS.ProcessEnv): ChildProcess {
    const [scratch, data] = [join(work, `root-${component}`), join(work, `data-${component}`)];
    for (const folder of [scratch, data]) mkdirSync(folder);
    if (canContain) chownSync(data, USER_ID, USER_ID);
    const [program = '', ...args] = canContain ? [contained, scratch, app, data, ...command] : command;
    const uncontained = { ...env, ...(env.ASSAY_DATA_DIR && { ASSAY_DATA_DIR: data }) };
    const options = { cwd: app, env: canContain ? env : uncontained };
    const child = own(spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] }));
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
    child.once('exit', (code) => {
      if (code !== 0) process.stderr.write(`${component} ended with ${code}: ${errors}\n`);
    });
    return child;
  }

  function valueOf({ value, valueFrom }: Container['env'][number]): string | undefined {
    if (valueFrom) return secrets.get(valueFrom.secretKeyRef.key);
    return value?.replace(/http:\/\/assay-([a-z-]+):8090/, (_, component: string) => {
      return `http://127.0.0.1:${ports.get(component)?.api}`;
    });
  }

  async function ready(component: string): Promise<void> {
    const child = start(component);
    children.push(child);
    const url = `http://127.0.0.1:${ports.get(component)?.admin}/readyz`;
    await waitFor(
      `${component} is ready`,
      async () => {
        if (child.exitCode !== null) throw new Error(`${component} has ended`);
        return (await fetch(url).catch(() => undefined))?.ok === true;
      },
      { withinMs: 90_000 },
    );
  }

  it(`store and find an event${canContain ? '' : ' (as this user: no root, or no overlay mounts)'}`, async () => {
    const headers = {
      authorization: `Bearer ${SECRETS['first-key']}`,
      'content-type': 'application/json',
    };
    const event_id = randomUUID();
    const body = JSON.stringify({ event_type: 'model', event_id, inputs: { question: 'Hello?' } });
    const written = await fetch(`${query}/v1/events`, { method: 'POST', headers, body });
    expect(written.status).toBe(200);
    const read = await fetch(`${query}/v1/events/${event_id}`, {
      headers: { ...headers, prefer: 'wait=30' },
    });
    expect([read.status, await read.json()]).toMatchObject([200, { event: { event_id } }]);
    const datasets = await fetch(`${query}/v1/datasets`, { headers });
    expect(datasets.status).toBe(200);
  });

  it('contain neither the embedded engine nor sources, and list their components', () => {
    for (const program of ['ingestion', 'data-plane', 'evaluator', 'control-plane']) {
      const folder = join(work, 'out', program);
      for (const absent of [
        'node_modules/chdb',
        'node_modules/jest',
        'node_modules/@assay/domain/src',
        'src',
      ])
        expect([absent, existsSync(join(folder, absent))]).toEqual([absent, false]);
      const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
        components: { name: string; 'bom-ref': string }[];
      };
      expect(components.map((component) => component.name)).toContain('express');
      const references = components.map((component) => component['bom-ref']);
      for (const name of ['@assay/cli@', 'commander@'])
        expect(references).toContainEqual(expect.stringContaining(name));
      expect(new Set(references).size).toBe(references.length);
      const libraries = references.filter((reference) => reference.startsWith('pkg:pypi/pandas@'));
      expect([program, libraries.length]).toEqual([program, program === 'evaluator' ? 1 : 0]);
    }
  });
});

function containerOf(manifests: readonly Manifest[], component: string): Container {
  const found = manifests.find(
    ({ kind, metadata }) =>
      (kind === 'Deployment' || kind === 'Job') && metadata.name === `assay-${component}`,
  );
  const { containers } = (found?.spec as { template: { spec: { containers: Container[] } } }).template.spec;
  return containers[0]!;
}

async function finished(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}
