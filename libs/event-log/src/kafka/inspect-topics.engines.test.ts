import { Kafka, logLevel, type Admin } from 'kafkajs';
import { silentLogger } from '@assay/testing';
import { freshName } from '../../test/event-log-contract.js';
import { openKafkaEventLog } from './kafka-event-log.js';

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',');
const topicPrefix = freshName();
/** `ConfigResourceTypes.TOPIC` of the protocol. */
const TOPIC = 2;
const options = { brokers, topicPrefix, partitions: 2, replicationFactor: 1, logger: silentLogger };
const open = (changes: object = {}) =>
  openKafkaEventLog({ ...options, ...changes, onCrash: () => undefined });

describe('the topics of the event log', () => {
  it('are inspected, and refused with exit code 78 when they do not fit the configuration', async () => {
    const log = await open();
    const findings = await log.inspect();
    await log.close();
    expect(findings.map(({ ok }) => ok)).toEqual(findings.map(() => true));
    expect(findings).toContainEqual({
      name: `Kafka topic ${topicPrefix}events`,
      ok: true,
      detail: '2 partitions with 1 replicas',
    });
    await expect(open({ replicationFactor: 2 })).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('KAFKA_REPLICATION_FACTOR is 2, add replicas') as string,
    });
    await configure(`${topicPrefix}events`, { 'max.message.bytes': '1000000' });
    await expect(open()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining(
        '1000000 is too small for the largest event, set max.message.bytes of the topic to 16777216, or MAX_EVENT_BYTES=1000000',
      ) as string,
    });
    await (await open({ maxMessageBytes: 1_000_000 })).close();
    await configure(`${topicPrefix}events`, { 'max.message.bytes': '1000000', 'compression.type': 'lz4' });
    await expect(open({ maxMessageBytes: 1_000_000 })).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining(
        'lz4, which readers cannot decompress, set compression.type of the topic to producer or gzip',
      ) as string,
    });
  });

  it('have the size and the retention of the settings, also less than three days', async () => {
    const prefix = `${topicPrefix}small-`;
    await (await open({ topicPrefix: prefix, maxMessageBytes: 1_048_576, retentionMs: 3_600_000 })).close();
    expect(await settingOf(`${prefix}events`, 'max.message.bytes')).toBe('1048576');
    expect(await settingOf(`${prefix}events-dead-letters`, 'max.message.bytes')).toBe('1048576');
    expect(await settingOf(`${prefix}events`, 'retention.ms')).toBe('3600000');
  });

  it('are inspected against the settings with which a process may start', async () => {
    const log = await open({ topicPrefix: `${topicPrefix}other-` });
    await log.close();
    const changed = await open({
      topicPrefix: `${topicPrefix}other-`,
      partitions: 3,
      retentionMs: 100 * 3_600_000,
    });
    const findings = await changed.inspect();
    await changed.close();
    const topic = `Kafka topic ${topicPrefix}other-events`;
    expect(findings).toEqual(
      expect.arrayContaining([
        { name: 'Kafka version', ok: true, detail: expect.stringMatching(/^\d\.\d or newer$/) as string },
        { name: `${topic} min.insync.replicas`, ok: true, detail: '1' },
        expect.objectContaining({
          name: `${topic} partitions`,
          ok: false,
          advice: expect.stringContaining('set KAFKA_PARTITIONS=2') as string,
        }),
        expect.objectContaining({
          name: `${topic} retention.ms`,
          ok: false,
          advice: 'set retention.ms of the topic to 360000000',
        }),
      ]),
    );
  });
});

async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

async function configure(topic: string, settings: Record<string, string>): Promise<void> {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const resources = [{ type: TOPIC, name: topic, configEntries }];
  await withAdmin((admin) => admin.alterConfigs({ validateOnly: false, resources }));
}

async function settingOf(topic: string, setting: string): Promise<string | undefined> {
  const resources = [{ type: TOPIC, name: topic, configNames: [setting] }];
  const { resources: found } = await withAdmin((admin) =>
    admin.describeConfigs({ includeSynonyms: false, resources }),
  );
  return found[0]?.configEntries[0]?.configValue;
}
