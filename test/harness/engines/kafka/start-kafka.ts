import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../stack/free-port.js';
import { EngineProcess } from '../engine-process.js';
import { respondsToMetadata } from './responds-to-metadata.js';
import { kafkaJars } from './kafka-jars.js';
import { serverProperties, type BrokerPlace } from './server-properties.js';

const run = promisify(execFile);
const START_WITHIN_MS = 60_000;
const QUIET = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';

/** A running Kafka broker on loopback. */
export interface Kafka {
  /** Address `host:port`; the same after a restart. */
  readonly brokers: string;
  /** Id of the process that runs now. */
  readonly pid: number;
  /** Sends the signal and waits until the broker is gone; its data stay. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the broker again on its data and ports, ending it first when it still runs. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Ends the broker, and removes its data unless the caller chose the folder. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts one Kafka broker, its own controller, on free ports and waits until it answers. Topics are not made by themselves.
 * @param options.dir folder for its data, made when it is not there; a new one that is removed at the end when absent
 */
export async function startKafka(options: { readonly dir?: string } = {}): Promise<Kafka> {
  const jars = join(await kafkaJars(), '*');
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'assay-kafka-'));
  const place = await placeIn(dir, jars);
  let broker = await startBroker(place, jars);
  const stop = async () => {
    await broker.end('SIGKILL');
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  };
  return {
    brokers: `127.0.0.1:${place.port}`,
    get pid() {
      return broker.pid;
    },
    kill: (signal) => broker.end(signal),
    restart: async () => {
      await broker.end('SIGKILL');
      broker = await startBroker(place, jars);
    },
    stop,
  };
}

/** Formats a folder for a broker, unless that was done before; then the ports are those of that time. */
async function placeIn(dir: string, jars: string): Promise<BrokerPlace> {
  const file = configOf(dir);
  if (existsSync(file)) return { dir, ...portsIn(readFileSync(file, 'utf8')) };
  mkdirSync(dir, { recursive: true });
  const place = { dir, port: await freePort(), controllerPort: await freePort() };
  writeFileSync(`${file}.new`, serverProperties(place));
  const tool = [QUIET, '-cp', jars, 'kafka.tools.StorageTool'];
  const { stdout } = await run('java', [...tool, 'random-uuid']);
  await run('java', [...tool, 'format', '-t', stdout.trim(), '-c', `${file}.new`]);
  writeFileSync(file, serverProperties(place));
  return place;
}

function configOf(dir: string): string {
  return join(dir, 'server.properties');
}

function portsIn(properties: string): { port: number; controllerPort: number } {
  const [, port, controllerPort] =
    /PLAINTEXT:\/\/127\.0\.0\.1:(\d+),CONTROLLER:\/\/127\.0\.0\.1:(\d+)/.exec(properties) ?? [];
  return { port: Number(port), controllerPort: Number(controllerPort) };
}

function startBroker({ dir, port }: BrokerPlace, jars: string): Promise<EngineProcess> {
  return EngineProcess.start({
    name: 'Kafka',
    file: 'java',
    args: ['-Xmx512m', '-XX:TieredStopAtLevel=1', QUIET, '-cp', jars, 'kafka.Kafka', configOf(dir)],
    startWithinMs: START_WITHIN_MS,
    isReady: () => respondsToMetadata(port),
  });
}
