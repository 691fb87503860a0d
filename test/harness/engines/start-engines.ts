import { startFerretDb } from './ferretdb/start-ferretdb.js';
import { startKafka } from './kafka/start-kafka.js';
import { startClickHouse } from './start-clickhouse.js';

/** An engine that was started here. */
interface Started {
  /** What clients connect to. */
  readonly address: string;
  stop(): Promise<void>;
}

/** By the variable that says where an engine is: how to start one when it does not. */
const ENGINES: Readonly<Record<string, () => Promise<Started>>> = {
  KAFKA_BROKERS: async () => {
    const kafka = await startKafka();
    return { address: kafka.brokers, stop: () => kafka.stop() };
  },
  CLICKHOUSE_URL: async () => {
    const clickHouse = await startClickHouse();
    return { address: clickHouse.url, stop: () => clickHouse.stop() };
  },
  MONGODB_URL: async () => {
    const ferretDb = await startFerretDb();
    return { address: ferretDb.url, stop: () => ferretDb.stop() };
  },
};

/**
 * Starts the engines whose variable is not set in the environment, and sets it. Variables that are set stay: a team can point the tests
 * at its own clusters. All or nothing: when one does not start, those that did are ended.
 * @returns ends what was started
 */
export async function startEngines(): Promise<() => Promise<void>> {
  const missing = Object.entries(ENGINES).filter(([variable]) => !process.env[variable]);
  const outcomes = await Promise.allSettled(missing.map(([variable, start]) => startOne(variable, start)));
  const stops = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stopAll = async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (failures.length === 0) return stopAll;
  await stopAll();
  throw new AggregateError(failures, `an engine has not started: ${failures.map(String).join('; ')}`);
}

async function startOne(variable: string, start: () => Promise<Started>): Promise<() => Promise<void>> {
  const engine = await start();
  process.env[variable] = engine.address;
  return async () => {
    delete process.env[variable];
    await engine.stop();
  };
}
