import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../stack/free-port.js';
import { EngineProcess } from '../engine-process.js';
import { respondsToMetadata } from './responds-to-metadata.js';
import { kafkaJars } from './kafka-jars.js';
import { serverProperties, type BrokerLocation, type SecureListener } from './server-properties.js';

const run = promisify(execFile);
/** Several engines start beside each other on a busy machine. */
const START_WITHIN_MS = 120_000;
/** Less work for a broker that runs for minutes: one compiler, and no threads that collect garbage beside it. */
const JAVA = [
  ...['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
];

/** A running Kafka broker on loopback. */
export interface Kafka {
  /** Address `host:port`; the same after a restart. */
  readonly brokers: string;
  /** Address of the secure listener, when there is one. */
  readonly secureBrokers: string | undefined;
  /** Address of the listener that takes tokens, when there is one. */
  readonly tokenBrokers: string | undefined;
  /** Id of the process that runs now. */
  readonly pid: number;
  /** Sends the signal and waits until the broker has exited; its data stays. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Restarts the broker on its data and ports. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Ends the broker, and removes its data unless the caller chose the folder. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts one Kafka broker, which is its own controller, on free ports and waits until it responds. Topics are not created automatically.
 * @param options.dir folder for its data, created when missing; absent: a temporary folder that stop() removes
 * @param options.takesTokens adds a listener with OAUTHBEARER, and access control; not kept in a folder that is used again
 * @param options.secure adds a listener with TLS and SASL; not kept in a folder that is used again
 */
export async function startKafka(
  options: { readonly dir?: string; readonly secure?: SecureListener; readonly takesTokens?: boolean } = {},
): Promise<Kafka> {
  const jars = join(await kafkaJars(), '*');
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'assay-kafka-'));
  const location = await prepareFolder(dir, jars, options);
  let broker = await startBroker(location, jars);
  const stop = async () => {
    await broker.end('SIGKILL');
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  };
  return {
    brokers: `127.0.0.1:${location.port}`,
    secureBrokers: location.secure && `127.0.0.1:${location.secure.port}`,
    tokenBrokers: location.tokenPort === undefined ? undefined : `127.0.0.1:${location.tokenPort}`,
    get pid() {
      return broker.pid;
    },
    kill: (signal) => broker.end(signal),
    restart: async () => {
      await broker.end('SIGKILL');
      broker = await startBroker(location, jars);
    },
    stop,
  };
}

/** Brokers with three replicas of each partition, of which two have to be in sync. */
export interface KafkaCluster {
  /** Addresses, separated by commas. */
  readonly brokers: string;
  /** Kills a broker, by its index; its data stays. */
  kill(index: number): Promise<void>;
  /** Restarts a broker on its data and ports. Resolves when it is ready. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

const CLUSTER_SIZE = 3;

/** Starts three brokers, which are their own controllers, and waits until they know each other. */
export async function startKafkaCluster(): Promise<KafkaCluster> {
  const jars = join(await kafkaJars(), '*');
  const dir = mkdtempSync(join(tmpdir(), 'assay-kafka-'));
  const [ports, controllerPorts] = [await freePorts(CLUSTER_SIZE), await freePorts(CLUSTER_SIZE)];
  const locations = ports.map((port, index) => ({
    ...{ dir: join(dir, String(index)), port, controllerPort: controllerPorts[index]! },
    cluster: { nodeId: index + 1, controllerPorts },
  }));
  const clusterId = newClusterId();
  for (const location of locations) {
    mkdirSync(location.dir);
    writeFileSync(configOf(location.dir), serverProperties(location));
    await format(configOf(location.dir), jars, clusterId);
  }
  const processes = await Promise.all(locations.map((one) => startBroker(one, jars, CLUSTER_SIZE)));
  return {
    brokers: ports.map((port) => `127.0.0.1:${port}`).join(','),
    kill: (index) => processes[index]!.end('SIGKILL'),
    restart: async (index) => {
      await processes[index]!.end('SIGKILL');
      processes[index] = await startBroker(locations[index]!, jars);
    },
    stop: async () => {
      await Promise.all(processes.map((one) => one.end('SIGKILL')));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Formats a folder for a broker. A folder that has been formatted keeps its ports. */
async function prepareFolder(
  dir: string,
  jars: string,
  { secure: listener, takesTokens }: { readonly secure?: SecureListener; readonly takesTokens?: boolean },
): Promise<BrokerLocation> {
  const file = configOf(dir);
  if (existsSync(file)) return { dir, ...portsIn(readFileSync(file, 'utf8')) };
  mkdirSync(dir, { recursive: true });
  const secure = listener && { ...listener, port: await freePort() };
  const tokenPort = takesTokens === true ? await freePort() : undefined;
  const location = { dir, port: await freePort(), controllerPort: await freePort(), secure, tokenPort };
  writeFileSync(`${file}.new`, serverProperties(location));
  await format(`${file}.new`, jars, newClusterId(), scramUsers(listener));
  writeFileSync(file, serverProperties(location));
  return location;
}

const newClusterId = () => randomBytes(16).toString('base64url');

/** Makes the folder of a broker that this file configures. */
async function format(
  file: string,
  jars: string,
  clusterId: string,
  users: readonly string[] = [],
): Promise<void> {
  const tool = [...JAVA, '-cp', jars, 'kafka.tools.StorageTool', 'format'];
  await run('java', [...tool, `--cluster-id=${clusterId}`, '-c', file, ...users]);
}

function scramUsers(listener: SecureListener | undefined): string[] {
  if (listener === undefined) return [];
  const user = `[name=${listener.username},password=${listener.password}]`;
  return ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => ['--add-scram', `${mechanism}=${user}`]);
}

function configOf(dir: string): string {
  return join(dir, 'server.properties');
}

function portsIn(properties: string): { port: number; controllerPort: number } {
  const [, port, controllerPort] =
    /PLAINTEXT:\/\/127\.0\.0\.1:(\d+),CONTROLLER:\/\/127\.0\.0\.1:(\d+)/.exec(properties) ?? [];
  return { port: Number(port), controllerPort: Number(controllerPort) };
}

/** @param brokers how many it has to know before it is ready, itself included */
function startBroker({ dir, port }: BrokerLocation, jars: string, brokers = 1): Promise<EngineProcess> {
  return EngineProcess.start({
    name: 'Kafka',
    file: 'java',
    args: [...JAVA, '-cp', jars, 'kafka.Kafka', configOf(dir)],
    startWithinMs: START_WITHIN_MS,
    isReady: () => respondsToMetadata(port, brokers),
  });
}
