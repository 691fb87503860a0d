import { existsSync } from 'node:fs';
import { Kafka as Client, logLevel, Partitioners } from 'kafkajs';
import { respondsToMetadata } from './responds-to-metadata.js';
import { startKafka, type Kafka } from './start-kafka.js';

const TOPIC = 'kept';

function clientOf(kafka: Kafka): Client {
  return new Client({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING, retry: { retries: 10 } });
}

async function send(kafka: Kafka, value: string): Promise<void> {
  const producer = clientOf(kafka).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  await producer.send({ topic: TOPIC, acks: -1, messages: [{ value }] });
  await producer.disconnect();
}

async function endOffset(kafka: Kafka): Promise<string | undefined> {
  const admin = clientOf(kafka).admin();
  await admin.connect();
  const [partition] = await admin.fetchTopicOffsets(TOPIC);
  await admin.disconnect();
  return partition?.high;
}

describe('startKafka', () => {
  it('keeps its address and its records when it is killed and restarted', async () => {
    const kafka = await startKafka();
    const { brokers, pid } = kafka;
    const admin = clientOf(kafka).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }] });
    await admin.disconnect();
    await send(kafka, 'before');
    await kafka.kill('SIGKILL');
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await kafka.restart();
    expect(kafka.brokers).toBe(brokers);
    expect(kafka.pid).not.toBe(pid);
    await send(kafka, 'after');
    expect(await endOffset(kafka)).toBe('2');
    await kafka.stop();
    await kafka.stop();
    expect(await respondsToMetadata(Number(brokers.split(':')[1]))).toBe(false);
  }, 180_000);
});
