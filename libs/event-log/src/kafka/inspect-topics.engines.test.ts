import { Kafka, logLevel } from 'kafkajs';
import { silentLogger } from '@assay/testing';
import { freshName } from '../../test/event-log-contract.js';
import { openKafkaEventLog } from './kafka-event-log.js';

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',');
const topicPrefix = freshName();
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
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: 2,
          name: `${topicPrefix}events`,
          configEntries: [{ name: 'max.message.bytes', value: '1000000' }],
        },
      ],
    });
    await admin.disconnect();
    await expect(open()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining(
        '1000000 is too small for the largest event, set max.message.bytes',
      ) as string,
    });
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
