import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePort } from './free-port.js';
import { ServiceProcess, type ServiceSpec } from './service-process.js';
import { NO_GRPC } from './start-standalone.js';
import type { Stack } from './stack.js';

const ADMIN_TOKEN = 'admin-token-of-the-test-stack';
/** Token of the other services at the control plane. */
export const CONTROL_PLANE_TOKEN = 'control-plane-token-of-the-test';
/** Token of the data plane at the evaluator. */
const EVALUATOR_TOKEN = 'evaluator-token-of-the-test-stack';
const API_KEY = 'first-key-of-the-split-test-stack';

/** Addresses of the engines. */
export interface Engines {
  readonly kafkaBrokers: string;
  readonly clickhouseUrl: string;
  readonly mongodbUrl: string;
}

export function enginesFromEnvironment(): Engines {
  const { KAFKA_BROKERS, CLICKHOUSE_URL, MONGODB_URL } = process.env;
  if (!KAFKA_BROKERS || !CLICKHOUSE_URL || !MONGODB_URL)
    throw new Error('KAFKA_BROKERS, CLICKHOUSE_URL and MONGODB_URL must name the engines');
  return { kafkaBrokers: KAFKA_BROKERS, clickhouseUrl: CLICKHOUSE_URL, mongodbUrl: MONGODB_URL };
}

export interface SplitOptions {
  /** Distinguishes the topic `test-<name>-events` and the ClickHouse database `test_<name>`; random when absent. */
  readonly name?: string;
  /** Protocol of the services. */
  readonly protocol?: 'http' | 'https';
  /** Additional settings of every process. */
  readonly everywhere?: Readonly<Record<string, string>>;
  /** Additional settings of the data plane. */
  readonly dataPlane?: Readonly<Record<string, string>>;
  /** Additional settings of the first ingestion process. */
  readonly ingestion?: Readonly<Record<string, string>>;
  /** Additional settings of the evaluator. */
  readonly evaluator?: Readonly<Record<string, string>>;
  /** Number of processes that evaluate: `evaluator`, which the data plane calls, `evaluator-2` and so on; one when absent. */
  readonly evaluators?: number;
  /** Number of ingestion processes: `ingestion`, to which the data plane proxies, `ingestion-2` and so on; one when absent. */
  readonly ingestions?: number;
  /** Number of data-plane processes: `data-plane`, `data-plane-2` and so on; one when absent. */
  readonly dataPlanes?: number;
  /** Runs the readers in a process of their own, `readers`; the data plane then only answers queries. */
  readonly separateReaders?: boolean;
  /** Puts a proxy in front of the control plane, and of MongoDB as seen from it: maps a `host:port` to another. */
  readonly tap?: (target: string) => Promise<string>;
  /**
   * Registers the data plane once the control plane listens, which then has no configured token. Returns settings of ingestion and of the
   * data plane.
   */
  readonly register?: (controlPlane: {
    readonly baseUrl: string;
    readonly adminToken: string;
  }) => Promise<Readonly<Record<string, string>>>;
}

/** Returns a name for {@link SplitOptions} that no other stack has. */
export function randomName(): string {
  return randomUUID().slice(0, 8);
}

/** The name of a stack's database in MongoDB. */
export function databaseOf(stack: Stack): string {
  return basename(stack.dir).replaceAll('-', '_');
}

/** Starts control plane, ingestion, data plane and evaluator as processes on the engines, with their own topic and databases. */
export async function startSplit(engines: Engines, options: SplitOptions = {}): Promise<Stack> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-split-'));
  const specs = await specsFor(engines, dir, options);
  const running = new Map<string, ServiceProcess>();
  for (const spec of specs) {
    const started = await ServiceProcess.start(spec);
    running.set(spec.name, started);
    if (spec.name !== 'control-plane' || !options.register) continue;
    const settings = await options.register({ baseUrl: started.baseUrl, adminToken: ADMIN_TOKEN });
    for (const other of specs.filter(({ name }) => name !== 'control-plane'))
      Object.assign(other.environment, settings);
  }
  const one = (name: string): ServiceProcess => {
    const found = running.get(name);
    if (!found) throw new Error(`unknown service ${name}`);
    return found;
  };
  return {
    kind: 'split',
    baseUrl: one('data-plane').baseUrl,
    apiKey: API_KEY,
    adminToken: ADMIN_TOKEN,
    dir,
    services: specs.map(({ name }) => name),
    urlOf: (name) => one(name).baseUrl,
    adminUrl: (name) => one(name).adminUrl,
    pid: (name) => one(name).pid,
    kill: async (name) => void (await one(name).end('SIGKILL')),
    terminate: (name) => one(name).end('SIGTERM'),
    start: async (name, settings) => {
      const spec = specs.find((candidate) => candidate.name === name);
      if (!spec) return;
      Object.assign(spec.environment, settings);
      running.set(name, await ServiceProcess.start(spec));
    },
    stop: async () => {
      const codes: (number | null)[] = [];
      for (const { name } of [...specs].reverse()) codes.push(await one(name).end('SIGTERM'));
      const clean = codes.every((code) => code === 0);
      if (clean) await rm(dir, { recursive: true, force: true });
      return clean;
    },
  };
}

async function specsFor(
  engines: Engines,
  dir: string,
  {
    name = randomName(),
    dataPlane = {},
    ingestion = {},
    evaluator = {},
    protocol = 'http',
    everywhere = {},
    evaluators = 1,
    ingestions = 1,
    dataPlanes = 1,
    separateReaders,
    tap,
    register,
  }: SplitOptions,
): Promise<ServiceSpec[]> {
  const further = ingestions + dataPlanes - 2;
  const ports = await Promise.all(Array.from({ length: 6 + 2 * further }, () => freePort()));
  const url = (index: number) => `${protocol}://127.0.0.1:${ports[index]}`;
  const service = (service: string, index: number, environment: Record<string, string>): ServiceSpec => {
    const dataDir = join(dir, service);
    mkdirSync(dataDir);
    return {
      name: service,
      entry: `services/${service}/dist/main.js`,
      logDir: dir,
      environment: {
        ASSAY_PORT: String(ports[index]),
        ASSAY_ADMIN_PORT: String(ports[index + 3]),
        ...environment,
      },
    };
  };
  const kafka = {
    KAFKA_BROKERS: engines.kafkaBrokers,
    KAFKA_TOPIC_PREFIX: `test-${name}-`,
    KAFKA_PARTITIONS: '3',
    KAFKA_REPLICATION_FACTOR: '1',
    // A reader that starts after another was killed waits for the end of its session.
    KAFKA_SESSION_SECONDS: '10',
  };
  const tapped = async (address: string) =>
    tap ? withHost(address, await tap(new URL(address).host)) : address;
  const control = { CONTROL_PLANE_URL: await tapped(url(0)), CONTROL_PLANE_TOKEN };
  const clickhouse = {
    CLICKHOUSE_URL: engines.clickhouseUrl,
    CLICKHOUSE_DATABASE: `test_${name}`,
  };
  const evaluatorPort = String(await freePort());
  const ofDataPlane = {
    ...kafka,
    ...control,
    INGESTION_URL: url(1),
    EVALUATOR_URL: `${protocol}://127.0.0.1:${evaluatorPort}`,
    EVALUATOR_TOKEN,
    ASSAY_ADMIN_TOKEN: ADMIN_TOKEN,
    ...clickhouse,
    ...dataPlane,
  };
  /** Settings of a further process; `index` counts these. */
  const ofProcess = (name: string, index: number) => ({
    ASSAY_PORT: String(ports[6 + 2 * index]),
    ASSAY_ADMIN_PORT: String(ports[7 + 2 * index]),
    ASSAY_DATA_DIR: join(dir, name),
  });
  const furtherDataPlanes = Array.from({ length: dataPlanes - 1 }, (_, index): ServiceSpec => {
    const name = `data-plane-${index + 2}`;
    const environment = { ...ofDataPlane, ...ofProcess(name, ingestions - 1 + index) };
    return { name, entry: 'services/data-plane/dist/main.js', logDir: dir, environment };
  });
  const furtherIngestions = Array.from({ length: ingestions - 1 }, (_, index): ServiceSpec => {
    const name = `ingestion-${index + 2}`;
    const environment = { ...kafka, ...control, ...NO_GRPC, ...ofProcess(name, index) };
    return { name, entry: 'services/ingestion/dist/main.js', logDir: dir, environment };
  });
  const readers: ServiceSpec = {
    name: 'readers',
    entry: 'services/data-plane/dist/main.js',
    logDir: dir,
    environment: {
      ...ofDataPlane,
      ASSAY_ROLE: 'readers',
      ASSAY_PORT: String(await freePort()),
      ASSAY_ADMIN_PORT: String(await freePort()),
      ASSAY_DATA_DIR: join(dir, 'readers'),
    },
  };
  const evaluatorProcess = async (name: string, port: string): Promise<ServiceSpec> => ({
    name,
    entry: 'services/evaluator/dist/main.js',
    logDir: dir,
    environment: {
      ...kafka,
      ...control,
      ...clickhouse,
      ...storeSettings(dataPlane),
      EVALUATOR_TOKEN,
      ASSAY_PORT: port,
      ASSAY_ADMIN_PORT: String(await freePort()),
      ASSAY_DATA_DIR: join(dir, name),
      ...evaluator,
    },
  });
  const furtherEvaluators: ServiceSpec[] = [];
  for (let number = 2; number <= evaluators; number++)
    furtherEvaluators.push(await evaluatorProcess(`evaluator-${number}`, String(await freePort())));
  const specs = [
    service('control-plane', 0, {
      MONGODB_URL: await tapped(engines.mongodbUrl),
      MONGODB_DATABASE: basename(dir).replaceAll('-', '_'),
      ...(register ? {} : { CONTROL_PLANE_TOKEN }),
      ASSAY_ADMIN_TOKEN: ADMIN_TOKEN,
      ASSAY_API_KEY: API_KEY,
      KEY_PEPPER: 'pepper-of-the-split-test-stack',
    }),
    service('ingestion', 1, {
      ...kafka,
      ...control,
      ...NO_GRPC,
      ASSAY_DATA_DIR: join(dir, 'ingestion'),
      ...ingestion,
    }),
    ...furtherIngestions,
    ...(separateReaders ? [readers] : []),
    service('data-plane', 2, {
      ...ofDataPlane,
      ...(separateReaders ? { ASSAY_ROLE: 'query', CLICKHOUSE_MIGRATE: 'false' } : {}),
      ASSAY_DATA_DIR: join(dir, 'data-plane'),
    }),
    ...furtherDataPlanes,
    await evaluatorProcess('evaluator', evaluatorPort),
    ...furtherEvaluators,
  ];
  return specs.map((spec) => ({ ...spec, environment: { ...spec.environment, ...everywhere } }));
}

/** The settings that name the event store, which every process that uses it shares. */
function storeSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  const names = ['CLICKHOUSE_URL', 'CLICKHOUSE_DATABASE'];
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

function withHost(address: string, host: string): string {
  return address.replace(new URL(address).host, host);
}
