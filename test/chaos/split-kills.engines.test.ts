import { randomUUID } from 'node:crypto';
import { startKafka } from '../harness/engines/kafka/start-kafka.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { rowsWithoutPayloadOfServer } from './rows-without-payload.js';
import { servicesOf, surviveKills, type Victim } from './survive-kills.js';

const seed = Number(process.env.SEED ?? Date.now() % 100_000);

describe(`separate services and their broker, killed under load (SEED=${seed})`, () => {
  it('lose no acknowledged request, duplicate no event and restore no deleted one', async () => {
    const kafka = await startKafka();
    const engines = { ...enginesFromEnvironment(), kafkaBrokers: kafka.brokers };
    const database = `test_kills_${randomUUID().slice(0, 8)}`;
    const stack = await startSplit(engines, { dataPlane: { CLICKHOUSE_DATABASE: database } });
    const broker: Victim = {
      name: 'broker',
      fault: 'kill',
      kill: async () => kafka.kill('SIGKILL'),
      restart: () => kafka.restart(),
    };
    const report = await surviveKills(stack, {
      seed,
      kills: 20,
      requestsBetweenKills: [10, 80],
      acknowledged: 501,
      victims: [...servicesOf(stack), broker],
    });
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(500);
    const incomplete = await rowsWithoutPayloadOfServer(engines.clickhouseUrl, database);
    expect(incomplete).toEqual([]);
    expect(await stack.stop()).toBe(true);
    await kafka.stop();
  }, 1_800_000);
});
