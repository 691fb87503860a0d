import type { Admin, ITopicConfig } from 'kafkajs';
import { unavailable } from '@assay/errors';
import { MAX_RECORD_BYTES } from '../record-size.js';
import { protocolTypeOf } from './kafka-failure.js';

export interface TopicOptions {
  /** Put before the names of topics and groups, so that several installations can share a cluster. */
  readonly topicPrefix: string;
  /** Partitions of the topic when it is made; an existing topic keeps its own number. */
  readonly partitions: number;
  readonly replicationFactor: number;
  /** Milliseconds that records are kept; 72 h at the least, which is the default. */
  readonly retentionMs?: number;
}

export interface TopicNames {
  readonly events: string;
  readonly deadLetters: string;
}

const METADATA_TRIES = 50;
const METADATA_PAUSE_MS = 100;
const SHORTEST_RETENTION_MS = 72 * 60 * 60 * 1000;
/** Dead letters wait for a person. */
const DEAD_LETTER_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;
/** A dead letter is a record and some headers more. */
const DEAD_LETTER_EXTRA_BYTES = 1024 * 1024;

export function topicNames(prefix: string): TopicNames {
  return { events: `${prefix}events`, deadLetters: `${prefix}events-dead-letters` };
}

/**
 * Makes the topics that are missing. Two processes may do so at once: the client takes "exists already" for success.
 * @returns the number of partitions of the topic of events
 */
export async function ensureTopics(admin: Admin, options: TopicOptions): Promise<number> {
  const names = topicNames(options.topicPrefix);
  const existing = new Set(await admin.listTopics());
  const missing = topicConfigs(names, options).filter(({ topic }) => !existing.has(topic));
  // One call each: a call for several fails as a whole when one of them exists. Leaders are waited for below, because the client's
  // own waiting fails on a broker that has not heard of the topic yet.
  for (const topic of missing) await admin.createTopics({ topics: [topic], waitForLeaders: false });
  await partitionsOf(admin, names.deadLetters);
  return partitionsOf(admin, names.events);
}

/** Number of partitions of a topic that somebody has just made: brokers hear of it, and of its leaders, one after the other. */
async function partitionsOf(admin: Admin, topic: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      const partitions = topics[0]?.partitions ?? [];
      if (partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)) return partitions.length;
      if (attempt === METADATA_TRIES) throw unavailable('a topic of the event log has no leader');
    } catch (error) {
      if (attempt === METADATA_TRIES || protocolTypeOf(error) !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, METADATA_PAUSE_MS));
  }
}

function topicConfigs(names: TopicNames, options: TopicOptions): ITopicConfig[] {
  const { partitions, replicationFactor, retentionMs = SHORTEST_RETENTION_MS } = options;
  // With three replicas one may be lost without losing what was acknowledged, and without stopping.
  const minInSync = replicationFactor >= 3 ? 2 : 1;
  const config = (topic: string, numPartitions: number, keptMs: number, maxBytes: number): ITopicConfig => ({
    topic,
    numPartitions,
    replicationFactor,
    configEntries: [
      { name: 'max.message.bytes', value: String(maxBytes) },
      { name: 'min.insync.replicas', value: String(minInSync) },
      { name: 'retention.ms', value: String(keptMs) },
      { name: 'retention.bytes', value: '-1' },
      { name: 'unclean.leader.election.enable', value: 'false' },
    ],
  });
  return [
    config(names.events, partitions, Math.max(retentionMs, SHORTEST_RETENTION_MS), MAX_RECORD_BYTES),
    config(names.deadLetters, 1, DEAD_LETTER_RETENTION_MS, MAX_RECORD_BYTES + DEAD_LETTER_EXTRA_BYTES),
  ];
}
