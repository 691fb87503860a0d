import type { Admin, ITopicConfig } from 'kafkajs';
import { unavailable } from '@assay/errors';
import { MAX_RECORD_BYTES } from '../record-size.js';
import { protocolTypeOf } from './kafka-failure.js';

export interface TopicOptions {
  /** Prefix of topic and group names, so that several installations can share a cluster. */
  readonly topicPrefix: string;
  /** Number of partitions of a new topic; an existing topic is not changed. */
  readonly partitions: number;
  readonly replicationFactor: number;
  /** Retention in milliseconds; 72 h by default. */
  readonly retentionMs?: number;
  /** Size of the largest message that both topics have to take; {@link MAX_RECORD_BYTES} by default. */
  readonly maxMessageBytes?: number;
}

export interface TopicNames {
  readonly events: string;
  readonly deadLetters: string;
}

const METADATA_ATTEMPTS = 50;
const METADATA_RETRY_MS = 100;
const DEFAULT_RETENTION_MS = 72 * 60 * 60 * 1000;
/** Long, because dead letters wait for an operator. */
const DEAD_LETTER_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;
/** Room in a message for the headers that a record gets when it becomes a dead letter and when that is replayed. */
const ADDED_HEADER_BYTES = 4 * 1024;

/** Returns the retention of the events topic in milliseconds. */
export function eventRetentionMs({ retentionMs = DEFAULT_RETENTION_MS }: TopicOptions): number {
  return retentionMs;
}

/** Returns how many replicas have to store a record. With three, one may fail without losing acknowledged records or stopping writes. */
export function minInSyncReplicas(replicationFactor: number): number {
  return replicationFactor >= 3 ? 2 : 1;
}

/** Returns the size of the largest message that each topic has to take. */
export function requiredMessageBytes({ maxMessageBytes = MAX_RECORD_BYTES }: TopicOptions): number {
  return maxMessageBytes;
}

/** Returns the size of the largest record that may be appended: it also fits as a dead letter, and when that is replayed. */
export function maxRecordBytes(options: TopicOptions): number {
  return requiredMessageBytes(options) - ADDED_HEADER_BYTES;
}

export function topicNames(prefix: string): TopicNames {
  return { events: `${prefix}events`, deadLetters: `${prefix}events-dead-letters` };
}

/**
 * Creates missing topics. Two processes may do so concurrently: kafkajs treats "already exists" as success.
 * @returns the number of partitions of the events topic
 */
export async function ensureTopics(admin: Admin, options: TopicOptions): Promise<number> {
  const names = topicNames(options.topicPrefix);
  const existing = new Set(await admin.listTopics());
  const missing = topicConfigs(names, options).filter(({ topic }) => !existing.has(topic));
  // One call per topic: a call for several fails as a whole when one of them exists. Leaders are awaited
  // below, because kafkajs' own wait fails on a broker that does not know the topic yet.
  for (const topic of missing) await admin.createTopics({ topics: [topic], waitForLeaders: false });
  await partitionsOf(admin, names.deadLetters);
  return partitionsOf(admin, names.events);
}

/**
 * Returns the number of partitions of a topic that may be new: brokers learn of it and its leaders with a
 * delay.
 */
async function partitionsOf(admin: Admin, topic: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      const partitions = topics[0]?.partitions ?? [];
      if (partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)) return partitions.length;
      if (attempt === METADATA_ATTEMPTS) throw unavailable('a topic of the event log has no leader');
    } catch (error) {
      if (attempt === METADATA_ATTEMPTS || protocolTypeOf(error) !== 'UNKNOWN_TOPIC_OR_PARTITION')
        throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, METADATA_RETRY_MS));
  }
}

function topicConfigs(names: TopicNames, options: TopicOptions): ITopicConfig[] {
  const { partitions, replicationFactor } = options;
  const config = (topic: string, numPartitions: number, keptMs: number): ITopicConfig => ({
    topic,
    numPartitions,
    replicationFactor,
    configEntries: [
      { name: 'max.message.bytes', value: String(requiredMessageBytes(options)) },
      { name: 'min.insync.replicas', value: String(minInSyncReplicas(replicationFactor)) },
      { name: 'retention.ms', value: String(keptMs) },
      { name: 'retention.bytes', value: '-1' },
      { name: 'unclean.leader.election.enable', value: 'false' },
    ],
  });
  return [
    config(names.events, partitions, eventRetentionMs(options)),
    config(names.deadLetters, 1, DEAD_LETTER_RETENTION_MS),
  ];
}
