import type { Admin } from 'kafkajs';
import type { Finding } from '@assay/runtime';
import { requiredMessageBytes, topicNames, type TopicOptions } from './topics.js';

/** `ConfigResourceTypes.TOPIC` of the protocol. */
const TOPIC = 2;
const MAX_MESSAGE_BYTES = 'max.message.bytes';

/**
 * Checks the topics of the event log: each partition has the configured number of replicas, and each topic takes the largest
 * record. Settings that the user may not read are not checked.
 */
export async function inspectTopics(admin: Admin, options: TopicOptions): Promise<Finding[]> {
  const { events, deadLetters } = topicNames(options.topicPrefix);
  const { topics } = await admin.fetchTopicMetadata({ topics: [events, deadLetters] });
  const sizes = await messageBytes(admin, [events, deadLetters]).catch(() => new Map<string, number>());
  return topics.flatMap(({ name, partitions }) => [
    inspectReplicas(name, partitions, options.replicationFactor),
    inspectSize(name, sizes.get(name), requiredMessageBytes(name === deadLetters)),
  ]);
}

function inspectReplicas(
  topic: string,
  partitions: readonly { readonly replicas: readonly number[] }[],
  wanted: number,
): Finding {
  const replicas = Math.min(...partitions.map((partition) => partition.replicas.length));
  const ok = replicas >= wanted;
  const has = `${partitions.length} partitions with ${replicas} replicas`;
  return {
    name: `Kafka topic ${topic}`,
    ok,
    detail: ok ? has : `${has}, KAFKA_REPLICATION_FACTOR is ${wanted}`,
    ...(!ok && {
      advice: `add replicas to the topic, or set KAFKA_REPLICATION_FACTOR=${replicas} if that is intended`,
    }),
  };
}

function inspectSize(topic: string, bytes: number | undefined, wanted: number): Finding {
  const name = `Kafka topic ${topic} ${MAX_MESSAGE_BYTES}`;
  if (bytes === undefined) return { name, ok: true, detail: 'not readable by this user, not checked' };
  const ok = bytes >= wanted;
  return {
    name,
    ok,
    detail: ok ? String(bytes) : `${bytes} is too small for the largest event`,
    ...(!ok && { advice: `set ${MAX_MESSAGE_BYTES} of the topic to ${wanted}` }),
  };
}

async function messageBytes(admin: Admin, topics: readonly string[]): Promise<Map<string, number>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: TOPIC, name, configNames: [MAX_MESSAGE_BYTES] })),
  });
  return new Map(
    resources.flatMap(({ resourceName, configEntries }) => {
      const entry = configEntries.find(({ configName }) => configName === MAX_MESSAGE_BYTES);
      return entry === undefined ? [] : [[resourceName, Number(entry.configValue)] as const];
    }),
  );
}
