import { Kafka, logLevel, type Admin } from 'kafkajs';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';
import { StoredHistory } from './stored-history.js';

const TEST_TIMEOUT_MS = 240_000;

describe('separate services after a restore', () => {
  const engines = enginesFromEnvironment();
  const name = randomName();
  const topic = `test-${name}-events`;
  const { stack, client } = onStack(() => startSplit(engines, { name }));
  const history = new StoredHistory(client);
  let admin: Admin;

  beforeAll(async () => {
    const kafka = new Kafka({ brokers: engines.kafkaBrokers.split(','), logLevel: logLevel.NOTHING });
    admin = kafka.admin();
    await admin.connect();
    await history.add(30);
    await history.expectVisible();
  });
  afterAll(() => admin.disconnect());

  const whileStopped = async (services: readonly string[], action: () => Promise<void>) => {
    for (const service of services) await stack.kill(service);
    await action();
    for (const service of services) await stack.start(service);
  };
  const updateOldEvents = async (score: number) => {
    for (const id of history.ids.slice(0, 12)) await history.update(id, score);
  };

  it(
    'find all events of the log again when the tables of ClickHouse were dropped',
    async () => {
      await whileStopped(['data-plane'], async () => {
        const response = await fetch(engines.clickhouseUrl, {
          method: 'POST',
          body: `DROP DATABASE test_${name}`,
        });
        expect(response.status).toBe(200);
      });
      await history.expectVisible();
      await updateOldEvents(20);
      await history.add(5);
      await history.expectVisible();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'apply updates to stored events after the topic was recreated',
    async () => {
      await updateOldEvents(30);
      await history.expectVisible();
      await whileStopped(['data-plane', 'ingestion'], async () => {
        await admin.deleteTopics({ topics: [topic] });
        await waitFor('the topic is deleted', async () => !(await admin.listTopics()).includes(topic));
      });
      await history.expectVisible();
      await updateOldEvents(40);
      await history.add(5);
      await history.expectVisible();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'apply updates to stored events after the number of partitions was doubled',
    async () => {
      await updateOldEvents(50);
      await history.expectVisible();
      await whileStopped(['data-plane', 'ingestion'], async () => {
        await admin.createPartitions({ topicPartitions: [{ topic, count: 6 }] });
      });
      await updateOldEvents(60);
      await history.add(5);
      await history.expectVisible();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'end the data plane when the topic is recreated while it runs, and apply updates after its restart',
    async () => {
      const pid = stack.pid('data-plane');
      await stack.kill('ingestion');
      await admin.deleteTopics({ topics: [topic] });
      await stack.start('ingestion');
      await waitFor('the data plane has ended', () => !isRunning(pid), { withinMs: 120_000 });
      await stack.start('data-plane');
      await updateOldEvents(70);
      await history.expectVisible();
    },
    TEST_TIMEOUT_MS,
  );
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
