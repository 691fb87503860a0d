import { ENGINE_VARIABLES, type EngineVariable } from './engines-of-suites.js';
import { startFerretDb } from './ferretdb/start-ferretdb.js';
import { startKafka } from './kafka/start-kafka.js';
import { startClickHouse } from './start-clickhouse.js';

/** An engine started by this process. */
interface Started {
  /** Address for clients. */
  readonly address: string;
  stop(): Promise<void>;
}

/** How to start each engine, by the environment variable with its address. */
const ENGINES: Readonly<Record<EngineVariable, () => Promise<Started>>> = {
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
 * Starts the named engines, or all, whose environment variable is not set, and sets it. Set the variables to run the tests on other clusters. When
 * an engine does not start, those that did are stopped.
 * @returns stops the started engines
 */
export async function startEngines(
  variables: readonly EngineVariable[] = ENGINE_VARIABLES,
): Promise<() => Promise<void>> {
  const missing = variables.filter((variable) => !process.env[variable]);
  const outcomes = await Promise.allSettled(missing.map((variable) => startOne(variable, ENGINES[variable])));
  const stops = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stopAll = async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (failures.length === 0) return stopAll;
  await stopAll();
  throw new AggregateError(failures, `an engine did not start: ${failures.map(String).join('; ')}`);
}

async function startOne(variable: string, start: () => Promise<Started>): Promise<() => Promise<void>> {
  const engine = await start();
  process.env[variable] = engine.address;
  return async () => {
    delete process.env[variable];
    await engine.stop();
  };
}
