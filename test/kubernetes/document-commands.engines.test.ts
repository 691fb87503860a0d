import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { kubernetesProgram } from '../harness/engines/kubernetes/programs.js';
import { type ApiServer, startApiServer } from '../harness/engines/kubernetes/start-api-server.js';
import { repository } from '../harness/stack/repository.js';
import { snippetsOf } from '../instrumentations/documents/snippets.js';
import { ReleaseNamespace } from './cluster.js';
import type { Manifest } from './helm.js';
import { readImage } from './image.js';

/** The first run on a machine compiles the programs. */
const START_WITHIN_MS = 2_700_000;
const COMMAND_TEST_MS = 300_000;
/** Writes its arguments, one call on a line: no container engine is at hand. */
const DOCKER = 'docker() { echo "$@" >> docker-calls; }';
/** Writes its arguments for the chart of the Collector, which is in a repository on the network. */
const HELM =
  'helm() { case "$*" in *open-telemetry/*) echo "$@" >> helm-calls ;; *) command helm "$@" ;; esac; }';

const UPGRADE = 'helm upgrade assay ./helm --namespace tracing --values values.yaml --values more.yaml';
/** A Secret with every key that the examples name. */
const SECRET = { 'tls.crt': 'x', 'tls.key': 'x', 'ca.crt': 'x', password: 'x' };

const blocks = snippetsOf(join(repository, 'docs/kubernetes.md'));
const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
const [values, ...moreValues] = blocks
  .filter(({ language, name }) => language === 'yaml' && (name === '' || name === 'store-values'))
  .map(({ text }) => text);
/** The only block with a text. */
const commandWith = (text: string): string => {
  const found = commands.filter((command) => command.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return found[0]!;
};
const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');

describe('the commands of docs/kubernetes.md, in an empty folder', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-kubernetes-document-'));
  let server: ApiServer;
  let namespace: ReleaseNamespace;
  let path: string;
  let notes: string;

  beforeAll(async () => {
    server = await startApiServer();
    namespace = new ReleaseNamespace(server, 'tracing');
    const programs = await Promise.all([kubernetesProgram('kubectl'), kubernetesProgram('helm')]);
    path = [...programs.map(dirname), process.env.PATH].join(':');
    // The documents assume a copy of the repository.
    symlinkSync(join(repository, 'helm'), join(dir, 'helm'));
  }, START_WITHIN_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Runs a block. Without controllers no pod becomes ready, so helm waits for hooks only. */
  async function run(block: string): Promise<string> {
    const script = `${DOCKER}\n${HELM}\n${block.replaceAll(' --wait', '')}`;
    const options = {
      cwd: dir,
      env: {
        ...process.env,
        PATH: path,
        KUBECONFIG: server.kubeconfig,
        HOME: dir,
        ASSAY_API_KEY: 'hh_key',
        GIT_DIR: join(repository, '.git'),
      },
    };
    const { stdout, stderr } = await promisify(execFile)('sh', ['-eu', '-c', script], options);
    expect(stderr).toBe('');
    return stdout;
  }
  const names = async (apiVersion: string, kind: string) =>
    (await namespace.list(apiVersion, kind)).map(({ metadata }) => metadata.name);

  it('build an image of every program that the chart runs', async () => {
    await run(commandWith('docker build'));
    const calls = readFileSync(join(dir, 'docker-calls'), 'utf8').trim().split('\n');
    const built = calls.filter((call) => call.startsWith('build '));
    expect(built).toHaveLength(4);
    for (const call of built) {
      const [, file = '', target = ''] =
        /--file (\S+) --target (\S+) --build-arg COMMIT=[0-9a-f]{40} --tag \S+ \.$/.exec(call) ?? [];
      expect(existsSync(join(repository, file))).toBe(true);
      expect(readImage(target).user).toBe('65532:65532');
    }
  });

  it(
    'install what the values describe',
    async () => {
      await run(commandWith('create namespace tracing'));
      // On a cluster, every namespace has one. Its presence makes helm look for the Secrets.
      await namespace.create('v1', 'ServiceAccount', { metadata: { name: 'default' } });
      writeFileSync(join(dir, 'values.yaml'), values!);
      notes = await namespace.whileJobsEnd(run(commandWith('upgrade --install assay')));
      expect(await names('v1', 'Secret')).toEqual(expect.arrayContaining(['assay', 'clickhouse', 'mongodb']));
      expect((await names('apps/v1', 'Deployment')).sort()).toEqual(
        ['control-plane', 'evaluator', 'ingestion', 'query', 'readers'].map(
          (component) => `assay-${component}`,
        ),
      );
    },
    COMMAND_TEST_MS,
  );

  it('name Services, Deployments and ports that exist, as do the notes and the other documents', async () => {
    const documents = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
    const texts = [notes, ...documents.map((name) => textOf(`docs/${name}`))].join('\n');
    const named = (pattern: RegExp) => [...texts.matchAll(pattern)].map(([, name]) => name);
    expect(await names('v1', 'Service')).toEqual(expect.arrayContaining(named(/\bservice\/([\w-]+)/g)));
    const ports = (await namespace.list('v1', 'Service')).flatMap(({ metadata, spec }) =>
      (spec as { ports: { port: number }[] }).ports.map(({ port }) => `${metadata.name}.tracing.svc:${port}`),
    );
    expect(ports).toEqual(expect.arrayContaining(named(/\/\/([\w-]+\.tracing\.svc:\d+)/g)));
    const deployments = named(/\b(?:deploy|deployment)\/(assay-[\w-]+)/g);
    expect(deployments.length).toBeGreaterThan(0);
    expect(await names('apps/v1', 'Deployment')).toEqual(expect.arrayContaining(deployments));
    const [, selector = ''] = /--selector (\S+)/.exec(notes) ?? [];
    expect(
      await run(`kubectl --namespace tracing get deployments --selector ${selector} --output name`),
    ).toBe('deployment.apps/assay-control-plane\n');
  });

  it('refuse values whose Secrets are missing', async () => {
    writeFileSync(
      join(dir, 'more.yaml'),
      moreValues.find((text) => text.startsWith('tls:'))!,
    );
    await expect(run(UPGRADE)).rejects.toThrow(/tls.secret \(Secret assay-tls, key tls.crt\)/);
    const connection = { 'connectionString.standard': 'x' };
    await namespace.create('v1', 'Secret', { metadata: { name: 'mongodb-assay' }, stringData: connection });
    for (const name of [
      'assay-tls',
      'clients-ca',
      'kafka',
      'kafka-ca',
      'kafka-client',
      'clickhouse-ca',
      'mongodb-ca',
    ])
      await namespace.create('v1', 'Secret', { metadata: { name }, stringData: SECRET });
    const headers = { metadata: { name: 'collector' }, stringData: { headers: 'x' } };
    await namespace.create('v1', 'Secret', headers);
    writeFileSync(join(dir, 'providers.json'), '{}');
    await run(commandWith('secret generic models'));
    writeFileSync(join(dir, 'prices.json'), '{}');
    await run(commandWith('configmap prices'));
  });

  it('install a Collector with the values of this repository', async () => {
    await run('kubectl create namespace apps');
    await run(commandWith('open-telemetry/opentelemetry-collector'));
    const [, file = ''] = /--values (\S+)/.exec(readFileSync(join(dir, 'helm-calls'), 'utf8')) ?? [];
    expect(existsSync(join(repository, file))).toBe(true);
    const [, name = ''] = /secretKeyRef:\s*(?:\{ ?)?name: ([\w-]+)/.exec(textOf(file)) ?? [];
    expect(await run('kubectl --namespace apps get secrets --output name')).toBe(`secret/${name}\n`);
  });

  it.each(moreValues.map((text) => [text.split('\n')[0], text] as const))(
    'upgrade with the values that begin with %s',
    async (_line, text) => {
      writeFileSync(join(dir, 'more.yaml'), text);
      const output = await namespace.whileJobsEnd(run(UPGRADE));
      expect(output).toContain('STATUS: deployed');
    },
    COMMAND_TEST_MS,
  );

  it(
    'create the objects of MongoDB that its operator defines, with the Secret of the values',
    async () => {
      const definitions = await kubernetesProgram('operator-resources');
      for (const file of readdirSync(definitions))
        await server.client.define(readFileSync(join(definitions, file), 'utf8'));
      const { text = '' } = blocks.find(({ name }) => name === 'store-mongodb') ?? {};
      const objects = text.split(/^---$/m);
      expect(objects).toHaveLength(2);
      for (const object of objects)
        expect(await namespace.judge(parse(object) as Manifest, object)).toMatchObject({
          status: 201,
          warnings: [],
        });
      const [, secret = ''] = /connectionStringSecretName: (\S+)/.exec(text) ?? [];
      expect(moreValues.some((more) => more.includes(`mongodb: { urlSecret: { name: ${secret},`))).toBe(true);
      const misspelt = text.split(/^---$/m)[1]!.replace('members:', 'member:');
      expect(await namespace.judge(parse(misspelt) as Manifest, misspelt)).toMatchObject({ status: 400 });
    },
    COMMAND_TEST_MS,
  );

  it(
    'upgrade and remove the release',
    async () => {
      expect(commands).toHaveLength(8);
      for (const text of ['--timeout 35m', 'helm uninstall'])
        await namespace.whileJobsEnd(run(commandWith(text)));
      expect(await names('apps/v1', 'Deployment')).toEqual([]);
      const secrets = await names('v1', 'Secret');
      expect(secrets).toEqual(expect.arrayContaining(['assay', 'clickhouse', 'mongodb']));
      expect(secrets.filter((name) => name.startsWith('sh.helm.'))).toEqual([]);
    },
    COMMAND_TEST_MS,
  );
});
