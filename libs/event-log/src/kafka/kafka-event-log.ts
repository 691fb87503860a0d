import type { Admin, Message, Producer } from 'kafkajs';
import { AppError, unavailable } from '@assay/errors';
import { refuseFaults, StartError, type Finding } from '@assay/runtime';
import { DeadLetterShares } from '../dead-letter-shares.js';
import { withDeadline } from '../deadline.js';
import type {
  DeadLetter,
  DeadLetterReason,
  EventLog,
  LogPosition,
  Consumer,
  LogRecord,
  ConsumedRecord,
  ReadOptions,
} from '../event-log.js';
import { recordBytes } from '../record-size.js';
import { Accumulator, type OutgoingBatch } from './accumulator.js';
import { makeClients, type KafkaClients, type KafkaConnectionOptions } from './clients.js';
import { readDeadLetters, toDeadLetterMessage } from './dead-letter-topic.js';
import { BatchMessage } from './batch-message.js';
import { Compression } from './compression.js';
import { kafkaFailure } from './kafka-failure.js';
import { onceCoordinated } from './once-coordinated.js';
import { inspectTopics } from './inspect-topics.js';
import { inspectVersion } from './inspect-version.js';
import { KafkaConsumer } from './kafka-consumer.js';
import { removeMember } from './remove-member.js';
import { makeProducer, sendMessages } from './send-messages.js';
import { SharedClient } from './shared-client.js';
import { fetchTopicId } from './topic-id.js';
import { ensureTopics, maxRecordBytes, topicNames, type TopicNames, type TopicOptions } from './topics.js';

export interface KafkaEventLogOptions extends KafkaConnectionOptions, TopicOptions {
  /**
   * Called when the client of a reader has failed permanently. The process has to end, because it no longer
   * reads.
   */
  onCrash(error: Error): void;
  /** After this time without a heartbeat a reader loses its partitions; 30 s by default. */
  readonly sessionMs?: number;
}

const DEFAULT_SESSION_MS = 30_000;
/** Timeout of all calls except appends. */
const CALL_DEADLINE_MS = 8_000;
/** Longer than all retries of the client; if a send takes longer, the client hangs and is replaced. */
const SEND_DEADLINE_MS = 12_000;
const CLOSE_DEADLINE_MS = 10_000;
/** Period of the shares of the projects in the dead letters. */
const DEAD_LETTER_PERIOD_MS = 24 * 60 * 60 * 1000;

/**
 * Opens the event log on Kafka; creates missing topics.
 * @throws AppError `UNAVAILABLE` when the brokers are unreachable or reject the client, StartError (exit code 78) when a topic
 * has too few replicas or does not take the largest record
 */
export async function openKafkaEventLog(options: KafkaEventLogOptions): Promise<EventLog> {
  const clients = makeClients(options);
  const admin = new SharedClient<Admin>(() => clients.forWriting.admin());
  const producer = new SharedClient<Producer>(() => makeProducer(clients.forWriting));
  try {
    const partitions = await admin.use((client) => ensureTopics(client, options));
    refuseFaults(await admin.use((client) => inspectTopics(client, options)));
    await producer.use(() => Promise.resolve());
    return new KafkaEventLog({
      clients,
      admin,
      producer,
      partitions,
      names: topicNames(options.topicPrefix),
      options,
    });
  } catch (error) {
    await Promise.all([admin.close(), producer.close()]);
    throw error instanceof StartError ? error : kafkaFailure(error);
  }
}

interface KafkaEventLogDeps {
  readonly clients: KafkaClients;
  readonly admin: SharedClient<Admin>;
  readonly producer: SharedClient<Producer>;
  readonly partitions: number;
  readonly names: TopicNames;
  readonly options: KafkaEventLogOptions;
}

class KafkaEventLog implements EventLog {
  private readonly accumulator: Accumulator;
  private readonly consumers = new Set<KafkaConsumer>();
  private closing: Promise<void> | undefined;
  private shares = { since: Date.now(), used: new DeadLetterShares() };

  constructor(private readonly deps: KafkaEventLogDeps) {
    const compression = new Compression(deps.options);
    const send = (batches: readonly OutgoingBatch[]) =>
      compression.send((isCompressed) => this.send(deps.names.events, batches, isCompressed));
    this.accumulator = new Accumulator({
      partitions: deps.partitions,
      maxRecordBytes: maxRecordBytes(deps.options),
      send,
    });
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    this.assertOpen();
    if (records.length > 0) await this.accumulator.append(records);
  }

  /**
   * The topic's id makes a topic that was deleted and created again another log; clusters before Kafka 2.8
   * have none.
   */
  async identity(): Promise<string> {
    const { events } = this.deps.names;
    return this.withAdmin(async (admin) => {
      const { clusterId } = await admin.describeCluster();
      return [clusterId, events, (await fetchTopicId(admin, events)) ?? 'no-topic-id'].join('/');
    });
  }

  async end(): Promise<LogPosition> {
    const offsets = await this.withAdmin((admin) => admin.fetchTopicOffsets(this.deps.names.events));
    return new Map(offsets.map(({ partition, high }) => [partition, Number(high)]));
  }

  async retainedFrom(): Promise<LogPosition> {
    const offsets = await this.withAdmin((admin) => admin.fetchTopicOffsets(this.deps.names.events));
    return new Map(offsets.map(({ partition, low }) => [partition, Number(low)]));
  }

  async position(group: string): Promise<LogPosition> {
    const offsets = await this.groupOffsets(group);
    return new Map(offsets.map(({ partition, low, committed }) => [partition, Math.max(low, committed)]));
  }

  /** Returns for each partition its first retained offset and the group's committed one, -1 if there is none. */
  private async groupOffsets(group: string) {
    const { events } = this.deps.names;
    const [kept, committed] = await this.withAdmin((admin) =>
      Promise.all([
        admin.fetchTopicOffsets(events),
        admin.fetchOffsets({ groupId: this.groupId(group), topics: [events] }),
      ]),
    );
    const offsets = new Map(
      committed.flatMap(({ partitions }) =>
        partitions.map(({ partition, offset }) => [partition, Number(offset)]),
      ),
    );
    return kept.map(({ partition, low }) => ({
      partition,
      low: Number(low),
      committed: offsets.get(partition) ?? -1,
    }));
  }

  /** Returns those of the partitions whose committed position is beyond where the group wants to start. */
  private async rewinds(options: ReadOptions, partitions: readonly number[]): Promise<LogPosition> {
    const starts = (await options.startAt?.(partitions)) ?? new Map<number, number>();
    const rewinds = new Map<number, number>();
    for (const { partition, low, committed } of await this.groupOffsets(options.group)) {
      const start = Math.max(low, starts.get(partition) ?? Number.POSITIVE_INFINITY);
      if (partitions.includes(partition) && start < committed) rewinds.set(partition, start);
    }
    return rewinds;
  }

  private async noteOf(groupId: string, partition: number): Promise<string> {
    const topics = [this.deps.names.events];
    const [found] = await this.withAdmin((admin) => admin.fetchOffsets({ groupId, topics }));
    return found?.partitions.find((one) => one.partition === partition)?.metadata ?? '';
  }

  async read(options: ReadOptions): Promise<Consumer> {
    this.assertOpen();
    const { clients, names, partitions, options: log } = this.deps;
    const groupId = this.groupId(options.group);
    const consumer: KafkaConsumer = new KafkaConsumer({
      ...options,
      kafka: clients.forReading,
      topic: names.events,
      groupId,
      partitions,
      sessionMs: log.sessionMs ?? DEFAULT_SESSION_MS,
      logger: log.logger,
      rewinds: (assigned) => this.rewinds(options, assigned),
      noteOf: (partition) => this.noteOf(groupId, partition),
      removeMember: (memberId) =>
        withDeadline(
          removeMember(clients.forWriting, names.events, { groupId, memberId }),
          CALL_DEADLINE_MS,
          'kafka did not respond in time',
        ),
      onCrash: (error) => log.onCrash(error),
      onStopped: () => this.consumers.delete(consumer),
    });
    this.consumers.add(consumer);
    await consumer.start();
    return consumer;
  }

  async deadLetter(record: ConsumedRecord, reason: DeadLetterReason): Promise<boolean> {
    this.assertOpen();
    if (!this.deadLetterShares().reserve(reason.project ?? '', recordBytes(record))) return false;
    try {
      await this.sendDeadLetter(toDeadLetterMessage(record, reason, Date.now()));
      return true;
    } catch (error) {
      // No retry helps: the topic has been made smaller than its records.
      if (!(error instanceof AppError) || error.code !== 'PAYLOAD_TOO_LARGE') throw error;
      const { partition, offset } = record;
      this.deps.options.logger.warn('a dead letter is larger than its topic takes', { partition, offset });
      return false;
    }
  }

  async restoreDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    this.assertOpen();
    // One by one, because a request has the size limit of one record.
    for (const letter of letters)
      await this.sendDeadLetter(toDeadLetterMessage(letter, letter.reason, letter.at));
  }

  private async sendDeadLetter(message: Message): Promise<void> {
    const sending = this.deps.producer.use((producer) =>
      sendMessages(producer, this.deps.names.deadLetters, [{ ...message, partition: 0 }]),
    );
    await withDeadline(sending, CALL_DEADLINE_MS, 'kafka did not acknowledge the dead letter in time').catch(
      fail,
    );
  }

  /** The topic is shared by several processes, so each bounds what it adds in a day. */
  private deadLetterShares(): DeadLetterShares {
    const now = Date.now();
    if (now - this.shares.since > DEAD_LETTER_PERIOD_MS)
      this.shares = { since: now, used: new DeadLetterShares() };
    return this.shares.used;
  }

  async deadLetters(limit: number, after = -1): Promise<readonly DeadLetter[]> {
    this.assertOpen();
    const { clients, names, admin, options } = this.deps;
    const source = {
      kafka: clients.forReading,
      topic: names.deadLetters,
      topicPrefix: options.topicPrefix,
      logger: options.logger,
    };
    return admin.use((client) => readDeadLetters({ ...source, admin: client }, limit, after)).catch(fail);
  }

  async dropDeadLetters(throughId: number): Promise<void> {
    const topic = this.deps.names.deadLetters;
    await this.withAdmin(async (admin) => {
      const [bounds] = await admin.fetchTopicOffsets(topic);
      const first = Math.min(throughId + 1, Number(bounds?.high ?? 0));
      if (first <= Number(bounds?.low ?? 0)) return;
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(first) }] });
    });
  }

  async check(): Promise<void> {
    await this.withAdmin((admin) => admin.fetchTopicOffsets(this.deps.names.events));
  }

  inspect(): Promise<readonly Finding[]> {
    return this.withAdmin(async (admin) => {
      const { brokers } = await admin.describeCluster();
      const reached: Finding = { name: 'Kafka', ok: true, detail: `${brokers.length} brokers` };
      const version = await inspectVersion(this.deps.clients.forWriting, this.deps.names.events);
      return [reached, version, ...(await inspectTopics(admin, this.deps.options))];
    });
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
    const finished = withDeadline(
      this.accumulator.idle(),
      CLOSE_DEADLINE_MS,
      'pending appends did not finish in time',
    );
    await finished.catch((error: unknown) =>
      this.deps.options.logger.warn('closing with appends in progress', {}, error),
    );
    await Promise.all([this.deps.admin.close(), this.deps.producer.close()]);
  }

  private async send(topic: string, batches: readonly OutgoingBatch[], isCompressed: boolean): Promise<void> {
    const messages = batches.map(
      ({ partition, records }) => new BatchMessage(partition, records, isCompressed),
    );
    const sending = this.deps.producer.use((producer) => sendMessages(producer, topic, messages));
    try {
      await withDeadline(sending, SEND_DEADLINE_MS, 'kafka did not acknowledge in time');
    } catch (error) {
      if (error instanceof AppError) this.deps.producer.reset();
      throw kafkaFailure(error);
    }
  }

  /** Runs a request of the admin client, at most 8 s. */
  private async withAdmin<T>(request: (admin: Admin) => Promise<T>): Promise<T> {
    this.assertOpen();
    try {
      return await withDeadline(
        onceCoordinated(() => this.deps.admin.use(request), CALL_DEADLINE_MS),
        CALL_DEADLINE_MS,
        'kafka did not respond in time',
      );
    } catch (error) {
      this.deps.admin.reset();
      throw kafkaFailure(error);
    }
  }

  private groupId(group: string): string {
    return `${this.deps.options.topicPrefix}${group}`;
  }

  private assertOpen(): void {
    if (this.closing !== undefined) throw unavailable('the event log is closed');
  }
}

function fail(error: unknown): never {
  throw kafkaFailure(error);
}
