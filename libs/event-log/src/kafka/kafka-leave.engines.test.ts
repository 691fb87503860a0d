import { Kafka, logLevel, PartitionAssigners, type Admin, type Assigner, type Consumer } from 'kafkajs';
import type { LogFields } from '@assay/runtime';
import { silentLogger, startFaultProxy, waitFor, type FaultProxy } from '@assay/testing';
import type { EventLog, ReadOptions } from '../event-log.js';
import { freshName } from '../../test/event-log-contract.js';
import { openKafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.js';

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',');
const WITHIN = { withinMs: 60_000 };

describe('a reader that is stopped while its group rebalances', () => {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  let topicPrefix: string;
  let admin: Admin;
  let endBatch = (): void => undefined;
  const logs: EventLog[] = [];
  const proxies: FaultProxy[] = [];

  beforeEach(async () => {
    topicPrefix = freshName();
    admin = kafka.admin();
    await admin.connect();
  });

  afterEach(async () => {
    endBatch();
    await Promise.all(logs.splice(0).map((log) => log.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
    await admin.disconnect();
  }, 60_000);

  /** Opens the log for a process, whose name its members have in the group. */
  const open = async (clientId: string, options: Partial<KafkaEventLogOptions> = {}) => {
    const log = await openKafkaEventLog({
      brokers,
      clientId,
      topicPrefix,
      partitions: 2,
      replicationFactor: 1,
      logger: silentLogger,
      onCrash: () => undefined,
      ...options,
    });
    logs.push(log);
    return log;
  };

  const read = (log: EventLog, options: Partial<ReadOptions> = {}) =>
    log.read({
      group: 'g',
      maxRecords: 10,
      maxBytes: 1 << 20,
      lingerMs: 0,
      onBatch: () => Promise.resolve(),
      ...options,
    });

  const describeGroup = async () => {
    const [group] = (await admin.describeGroups([`${topicPrefix}g`])).groups;
    return { state: group?.state, members: (group?.members ?? []).map(({ clientId }) => clientId).sort() };
  };

  /** Starts a reader that handles a batch until the end of the test, so that a rebalance waits for it. */
  const startBusyReader = async () => {
    const log = await open('busy');
    let isBusy = false;
    const end = new Promise<void>((resolve) => (endBatch = resolve));
    await read(log, { onBatch: () => ((isBusy = true), end) });
    const fillPartitions = async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
      await log.append(keys.map((key) => ({ key, value: Buffer.alloc(1), headers: {} })));
      await waitFor('the reader handles a batch', () => isBusy);
    };
    return { fillPartitions };
  };

  it('is no member any more when it was joining for the first time', async () => {
    const busy = await startBusyReader();
    await busy.fillPartitions();
    const log = await open('joining');
    const reading = read(log);
    await waitFor('it joins', async () => (await describeGroup()).members.includes('joining'), WITHIN);
    await log.close();
    expect((await describeGroup()).members).toEqual(['busy']);
    await reading;
  }, 90_000);

  it('is no member any more when it was joining again', async () => {
    const busy = await startBusyReader();
    let isRejoining = false;
    const warn = (_: string, { clientMessage }: LogFields = {}) => {
      isRejoining ||= clientMessage === 'The group is rebalancing, re-joining';
    };
    const log = await open('rejoining', { logger: { ...silentLogger, warn } });
    await read(log);
    await waitFor('both are members', async () => (await describeGroup()).state === 'Stable', WITHIN);
    await busy.fillPartitions();
    const reading = read(await open('third'));
    await waitFor('it joins again', () => isRejoining, WITHIN);
    await log.close();
    expect((await describeGroup()).members).toEqual(['busy', 'third']);
    endBatch();
    await reading;
  }, 90_000);

  it('is no member any more when it was waiting for its partitions', async () => {
    const [broker = ''] = brokers;
    const proxy = await startFaultProxy(broker);
    proxies.push(proxy);
    const addresses = { [broker]: proxy.address };
    const log = await open('waiting', { brokers: [proxy.address], addresses });
    const leader = await startHangingLeader(kafka, topicPrefix);
    const reading = read(log);
    await waitFor('it waits', async () => (await describeGroup()).state === 'CompletingRebalance', WITHIN);
    await log.close();
    expect((await describeGroup()).members).toEqual(['kafkajs']);
    await leader.stop();
    // The client waits for a response that the broker never sends.
    proxy.cutOnce();
    await reading;
  }, 90_000);
});

/** Starts a member that leads the group, and assigns no partitions when there are two members until it is stopped. */
async function startHangingLeader(kafka: Kafka, topicPrefix: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const hanging = (assigner: Assigner): Assigner => ({
    ...assigner,
    assign: async (group) => {
      if (group.members.length > 1) await ended;
      return assigner.assign(group);
    },
  });
  const consumer: Consumer = kafka.consumer({
    groupId: `${topicPrefix}g`,
    partitionAssigners: [(config) => hanging(PartitionAssigners.roundRobin(config))],
  });
  await consumer.connect();
  await consumer.subscribe({ topic: `${topicPrefix}events` });
  await consumer.run({ eachMessage: () => Promise.resolve() });
  const stop = async () => {
    end();
    await consumer.disconnect();
  };
  return { stop };
}
