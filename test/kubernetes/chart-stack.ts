import { mkdtempSync, chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import type { Stack } from '../harness/stack/stack.js';
import { randomName, type Engines } from '../harness/stack/start-split.js';
import { type Container, ContainerHost, type ContainerUser } from './container.js';
import { render, type Manifest } from './helm.js';
import { readImage } from './image.js';

const COMPONENTS = ['control-plane', 'ingestion', 'readers', 'query', 'evaluator'] as const;
const READY_WITHIN_MS = 90_000;
const SECRETS = {
  'control-plane-token': 'control-plane-token-of-the-test',
  'key-pepper': 'pepper-of-the-image-test-stack',
  'admin-token': 'admin-token-of-the-test-stack',
  'first-key': 'first-key-of-the-image-test-stack',
};

/** The fields of a rendered container that decide how it runs. */
interface RenderedContainer {
  readonly image: string;
  readonly args?: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } };
  }[];
}

interface Ports {
  readonly api: number;
  readonly admin: number;
  readonly grpc: number;
}

export interface ChartStackOptions {
  readonly engines: Engines;
  /** Folder with a folder for every image. */
  readonly images: string;
  /** Values of the chart besides the addresses of the engines and the Secrets. */
  readonly values?: object;
  /** Puts a proxy in front of the control plane, and of MongoDB: maps a `host:port` to another. */
  readonly tap?: (target: string) => Promise<string>;
  /** Whom the platform runs the containers as; that of the images when absent. */
  readonly user?: ContainerUser;
}

/** A stack whose processes are the containers of the rendered chart. */
export interface ChartStack extends Stack {
  /** Whether the processes run contained, and not only as this user. */
  readonly contained: boolean;
  /** Runs a command in the image of a component, with its environment. Returns its exit code and the end of its output. */
  exec(
    component: string,
    command: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
}

/**
 * Renders the chart, runs its Job and starts its containers as processes with exactly their environment, arguments, user and read-only
 * folders. The ports differ from those of the chart, because all of them share one address.
 */
export async function startChartStack(options: ChartStackOptions): Promise<ChartStack> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-chart-'));
  // The programs run as another user.
  chmodSync(dir, 0o755);
  const { specOf, ports } = await containersOf(options);
  const host = new ContainerHost(dir, options.user);
  const running = new Map<string, Container>();
  const start = async (name: string) => {
    const container = host.start(specOf(name));
    running.set(name, container);
    await ready(container, `http://127.0.0.1:${portsOf(name).admin}/readyz`);
  };
  const portsOf = (name: string): Ports => {
    const found = ports.get(name);
    if (!found) throw new Error(`the chart has no ${name}`);
    return found;
  };
  const migrated = await host.start(specOf('migrate')).ended();
  if (migrated !== 0) throw new Error(`the migration ended with ${migrated}`);
  for (const name of COMPONENTS) await start(name);
  const urlOf = (name: string) => `http://127.0.0.1:${portsOf(name).api}`;
  return {
    kind: 'split',
    contained: host.contains,
    baseUrl: urlOf('query'),
    apiKey: SECRETS['first-key'],
    adminToken: SECRETS['admin-token'],
    dir,
    services: COMPONENTS,
    urlOf,
    adminUrl: (name) => `http://127.0.0.1:${portsOf(name).admin}`,
    pid: (name) => running.get(name)!.pid,
    kill: async (name) => void (await running.get(name)!.end('SIGKILL')),
    terminate: (name) => running.get(name)!.end('SIGTERM'),
    start,
    exec: async (component, command, environment = {}) => {
      const spec = specOf(component);
      const container = host.start({
        ...spec,
        name: `${component}-exec`,
        command,
        environment: { ...spec.environment, ...environment },
      });
      return { code: await container.ended(), output: container.printed };
    },
    stop: async () => {
      const codes = [];
      for (const name of [...COMPONENTS].reverse()) codes.push(await running.get(name)!.end('SIGTERM'));
      const clean = codes.every((code) => code === 0);
      if (clean) await rm(dir, { recursive: true, force: true });
      return clean;
    },
  };
}

async function ready(container: Container, url: string): Promise<void> {
  await waitFor(
    `${container.name} is ready`,
    async () => {
      if (!container.running) throw new Error(`${container.name} has ended: ${container.printed}`);
      return (await fetch(url).catch(() => undefined))?.ok === true;
    },
    { withinMs: READY_WITHIN_MS },
  );
}

/** What to run for each component, with the addresses of this stack in place of the names of Services. */
async function containersOf({ engines, images, values = {}, tap }: ChartStackOptions) {
  const manifests = await renderFor(engines, values);
  const ports = new Map<string, Ports>();
  for (const name of COMPONENTS)
    ports.set(name, { api: await freePort(), admin: await freePort(), grpc: await freePort() });
  const tapped = (target: string) => tap?.(target) ?? Promise.resolve(target);
  const services = new Map([...ports].map(([name, { api }]) => [name, `127.0.0.1:${api}`]));
  services.set('control-plane', await tapped(services.get('control-plane')!));
  const mongodb = new URL(engines.mongodbUrl);
  const secrets = new Map(Object.entries(SECRETS));
  secrets.set('url', engines.mongodbUrl.replace(mongodb.host, await tapped(mongodb.host)));
  const valueOf = ({ value, valueFrom }: RenderedContainer['env'][number]) =>
    valueFrom
      ? secrets.get(valueFrom.secretKeyRef.key)
      : value?.replace(/http:\/\/assay-([a-z-]+):8090/, (_, name: string) => `http://${services.get(name)}`);
  const specOf = (name: string) => {
    const { image: reference, args = [], env } = containerOf(manifests, name);
    const program = /\/([a-z-]+):/.exec(reference)?.[1] ?? '';
    const image = readImage(program);
    const own = ports.get(name);
    return {
      name,
      app: join(images, program),
      command: [process.execPath, ...image.entrypoint.slice(1), ...args],
      environment: {
        ...image.environment,
        ...Object.fromEntries(env.map((variable) => [variable.name, valueOf(variable)])),
        // Each pod has an address of its own; here the ports differ.
        ...(own && { ASSAY_PORT: String(own.api), ASSAY_ADMIN_PORT: String(own.admin) }),
        ...(own && name === 'ingestion' && { ASSAY_OTLP_GRPC_PORT: String(own.grpc) }),
      },
    };
  };
  return { specOf, ports };
}

function renderFor({ kafkaBrokers, clickhouseUrl }: Engines, values: object): Promise<Manifest[]> {
  const name = randomName();
  const ofAssay = (key: string) => ({ name: 'assay', key });
  return render({
    image: { repository: 'registry.example.com/assay' },
    kafka: {
      brokers: kafkaBrokers.split(','),
      topicPrefix: `test-${name}-`,
      partitions: 3,
      replicationFactor: 1,
    },
    clickhouse: { url: clickhouseUrl, database: `test_${name}` },
    mongodb: { urlSecret: { name: 'mongodb', key: 'url' }, database: `test_${name}` },
    networkPolicy: { dependencyNetworks: ['127.0.0.0/8'] },
    secrets: { adminToken: ofAssay('admin-token'), firstKey: ofAssay('first-key') },
    ...values,
  });
}

function containerOf(manifests: readonly Manifest[], component: string): RenderedContainer {
  const found = manifests.find(
    ({ kind, metadata }) =>
      (kind === 'Deployment' || kind === 'Job') && metadata.name === `assay-${component}`,
  );
  const { containers } = (found?.spec as { template: { spec: { containers: RenderedContainer[] } } }).template
    .spec;
  return containers[0]!;
}
