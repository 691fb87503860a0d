import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { startKafkaCluster, type KafkaCluster } from '../harness/engines/kafka/start-kafka.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { surviveKills, type Victim } from './survive-kills.js';

const seed = Number(process.env.SEED ?? Date.now() % 100_000);
const BROKERS = [0, 1, 2];
const ACCEPT_WITHIN_MS = 120_000;

describe(`separate services on three brokers, of which two have to be in sync (SEED=${seed})`, () => {
  let kafka: KafkaCluster;
  beforeAll(async () => {
    kafka = await startKafkaCluster();
  });
  const { stack, client } = onStack(() =>
    startSplit(
      { ...enginesFromEnvironment(), kafkaBrokers: kafka.brokers },
      {
        everywhere: { KAFKA_REPLICATION_FACTOR: '3' },
        dataPlane: { CLICKHOUSE_DATABASE: `test_brokers_${randomUUID().slice(0, 8)}` },
      },
    ),
  );
  afterAll(() => kafka.stop());

  const newEvent = (marker: string) => ({
    event_id: randomUUID(),
    event_type: 'tool',
    inputs: {},
    metadata: { marker },
  });
  /** Returns the seconds that something takes. */
  const timed = async (action: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await action();
    return ((performance.now() - startedAt) / 1_000).toFixed(1);
  };
  const accepted = (event: object) =>
    timed(() =>
      waitFor('the event is accepted', async () => (await client.post('/v1/events', event)).status === 200, {
        withinMs: ACCEPT_WITHIN_MS,
      }),
    );
  const idsOf = async (marker: string) => {
    const filters = [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }];
    return (await client.search({ filters })).events.map(({ event_id }) => event_id).sort();
  };

  /** Reads get 503, too, before partitions have another leader. */
  const found = (marker: string, count: number) =>
    waitFor(
      `${count} events are found`,
      async () => {
        const ids = await idsOf(marker).catch(() => []);
        return ids.length === count ? ids : undefined;
      },
      { withinMs: ACCEPT_WITHIN_MS },
    );

  it('accept and store events while one of them is down, and respond 503 while two are', async () => {
    const marker = randomUUID();
    const [first, second, third] = [newEvent(marker), newEvent(marker), newEvent(marker)];
    await accepted(first);
    await kafka.kill(0);
    const withTwo = await accepted(second);
    await found(marker, 2);
    await kafka.kill(1);
    const withOne = await timed(async () => {
      const refused = await client.post('/v1/events', third);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });
    await kafka.restart(1);
    const again = await accepted(third);
    await kafka.restart(0);
    const all = [first, second, third].map(({ event_id }) => event_id).sort();
    expect(await found(marker, all.length)).toEqual(all);
    process.stdout.write(
      `one of three brokers killed: accepted after ${withTwo} s; two: 503 after ${withOne} s; one returns: accepted after ${again} s\n`,
    );
  }, 600_000);

  it('lose no acknowledged request when brokers are killed one after the other under load', async () => {
    const victims = BROKERS.map((index): Victim => ({
      name: `broker ${index}`,
      fault: 'kill',
      kill: () => kafka.kill(index),
      restart: () => kafka.restart(index),
    }));
    const plan = { seed, kills: 6, requestsBetweenKills: [40, 120], acknowledged: 501, victims } as const;
    const report = await surviveKills(stack, plan);
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(500);
  }, 1_200_000);
});
