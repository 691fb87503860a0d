import type { Admin } from 'kafkajs';
import type { Finding } from '@assay/runtime';
import {
  eventRetentionMs,
  minInSyncReplicas,
  requiredMessageBytes,
  topicNames,
  type TopicOptions,
} from './topics.js';

/** `ConfigResourceTypes.TOPIC` of the protocol. */
const TOPIC = 2;
const MAX_MESSAGE_BYTES = 'max.message.bytes';
const MIN_IN_SYNC = 'min.insync.replicas';
const RETENTION = 'retention.ms';
const COMPRESSION = 'compression.type';
/** Compressions of a topic whose records readers can decompress; `producer` keeps those of the appending process. */
const READABLE = ['producer', 'uncompressed', 'gzip'];
const HOUR_MS = 3_600_000;

/** Settings of a topic by name; empty when the user may not read them. */
type TopicSettings = ReadonlyMap<string, string>;

/**
 * Checks the topics of the event log: each partition has the configured number of replicas, and each topic takes the largest
 * record. With other partitions, fewer replicas that have to store a record, or a shorter retention than configured, a process may start.
 * Settings that the user may not read are not checked.
 */
export async function inspectTopics(admin: Admin, options: TopicOptions): Promise<Finding[]> {
  const { events, deadLetters } = topicNames(options.topicPrefix);
  const { topics } = await admin.fetchTopicMetadata({ topics: [events, deadLetters] });
  const settings = await readSettings(admin, [events, deadLetters]).catch(
    () => new Map<string, TopicSettings>(),
  );
  // The broker names them in any order.
  const inOrder = [...topics].sort((one, other) => one.name.localeCompare(other.name));
  return inOrder.flatMap(({ name, partitions }) => {
    const own: TopicSettings = settings.get(name) ?? new Map<string, string>();
    const numberOf = (setting: string) => (own.has(setting) ? Number(own.get(setting)) : undefined);
    const replicas = Math.min(...partitions.map((partition) => partition.replicas.length));
    return [
      inspectReplicas(name, partitions, options.replicationFactor),
      inspectSize(name, numberOf(MAX_MESSAGE_BYTES), requiredMessageBytes(options)),
      ...inspectCompression(name, own.get(COMPRESSION)),
      ...inspectInSync(name, numberOf(MIN_IN_SYNC), { replicas, wanted: options.replicationFactor }),
      ...(name === events ? inspectPartitions(name, partitions.length, options.partitions) : []),
      ...(name === events ? inspectRetention(name, numberOf(RETENTION), eventRetentionMs(options)) : []),
    ];
  });
}

function inspectPartitions(topic: string, partitions: number, wanted: number): Finding[] {
  const name = `Kafka topic ${topic} partitions`;
  if (partitions === wanted) return [{ name, ok: true, detail: `${partitions}, as configured` }];
  const detail = `${partitions}, KAFKA_PARTITIONS is ${wanted} and applies to new topics only`;
  const advice = `set KAFKA_PARTITIONS=${partitions}, or change the topic while ingestion is stopped`;
  return [{ name, ok: false, detail, advice, mayStart: true }];
}

/** A broker compresses the records of such a topic again, whatever the appending process has chosen. */
function inspectCompression(topic: string, compression: string | undefined): Finding[] {
  if (compression === undefined || READABLE.includes(compression)) return [];
  return [
    {
      name: `Kafka topic ${topic} ${COMPRESSION}`,
      ok: false,
      detail: `${compression}, which readers cannot decompress`,
      advice: `set ${COMPRESSION} of the topic to producer or gzip`,
    },
  ];
}

function inspectInSync(
  topic: string,
  minInSync: number | undefined,
  { replicas, wanted }: { readonly replicas: number; readonly wanted: number },
): Finding[] {
  if (minInSync === undefined) return [];
  const name = `Kafka topic ${topic} ${MIN_IN_SYNC}`;
  const expected = minInSyncReplicas(wanted);
  const advice = `set ${MIN_IN_SYNC} of the topic to ${expected}`;
  const fault = (detail: string): Finding[] => [{ name, ok: false, detail, advice, mayStart: true }];
  if (minInSync < expected) return fault(`${minInSync}, so the failure of one broker can lose events`);
  if (minInSync > 1 && minInSync >= replicas)
    return fault(`${minInSync} of ${replicas} replicas, so writes stop when one broker fails`);
  return [{ name, ok: true, detail: String(minInSync) }];
}

/** A retention of -1 is unlimited. */
function inspectRetention(topic: string, retentionMs: number | undefined, wantedMs: number): Finding[] {
  if (retentionMs === undefined) return [];
  const name = `Kafka topic ${topic} ${RETENTION}`;
  if (retentionMs === -1) return [{ name, ok: true, detail: 'unlimited' }];
  const hours = `${Math.floor(retentionMs / HOUR_MS)} hours`;
  if (retentionMs >= wantedMs) return [{ name, ok: true, detail: hours }];
  const detail = `${hours}, LOG_RETENTION_HOURS is ${wantedMs / HOUR_MS}`;
  return [
    { name, ok: false, detail, advice: `set ${RETENTION} of the topic to ${wantedMs}`, mayStart: true },
  ];
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
    ...(!ok && { advice: `set ${MAX_MESSAGE_BYTES} of the topic to ${wanted}, or MAX_EVENT_BYTES=${bytes}` }),
  };
}

async function readSettings(admin: Admin, topics: readonly string[]): Promise<Map<string, TopicSettings>> {
  const configNames = [MAX_MESSAGE_BYTES, MIN_IN_SYNC, RETENTION, COMPRESSION];
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: TOPIC, name, configNames })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
}
