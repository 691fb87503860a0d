import { kafkaTokenSettings, SASL_MECHANISMS } from './kafka-token-settings.js';
import { choice, flag, httpUrl, integer, list, required, secret, text } from './settings.js';
import {
  clickhouseTlsSettings,
  controlPlaneTlsSettings,
  kafkaTlsSettings,
  mongodbTlsSettings,
} from './tls-settings.js';

/** Retention of the event log. */
export const retentionSettings = {
  retentionHours: integer('LOG_RETENTION_HOURS', {
    default: 72,
    min: 1,
    max: 8760,
    description:
      'How long records stay on the log after they were stored; in Kafka, the retention of a new topic',
  }),
} as const;

/** Settings of a service that uses Kafka. */
export const kafkaSettings = {
  kafkaBrokers: list('KAFKA_BROKERS', {
    default: ['127.0.0.1:9092'],
    description: 'Broker addresses, `host:port`',
  }),
  kafkaTopicPrefix: text('KAFKA_TOPIC_PREFIX', {
    default: 'assay-',
    description: 'Prefix of topic and consumer-group names',
  }),
  kafkaPartitions: integer('KAFKA_PARTITIONS', {
    default: 12,
    min: 1,
    max: 1000,
    description: 'Partitions of a new topic',
  }),
  kafkaReplicationFactor: integer('KAFKA_REPLICATION_FACTOR', {
    default: 3,
    min: 1,
    max: 9,
    description: 'Replicas of each partition of a new topic; with 3, an append needs two in-sync replicas',
  }),
  kafkaEpoch: integer('KAFKA_EPOCH', {
    default: 0,
    min: 0,
    max: 500,
    description:
      'Epoch of the event log, to confirm a start that the data plane has refused; 0: the epoch that the event store has recorded',
  }),
  ...retentionSettings,
  maxEventBytes: integer('MAX_EVENT_BYTES', {
    default: 16_777_216,
    min: 1_000_000,
    max: 16_777_216,
    description:
      'Size of the largest message, in bytes, that the topics have to take (`max.message.bytes`), the same in every process. Events of up to 256 KiB less, and of at most 10 MB, are accepted',
  }),
  kafkaCompression: choice('KAFKA_COMPRESSION', ['gzip', 'none'], {
    default: 'gzip',
    description: 'Compression of the records that are appended; records of either kind are read',
  }),
  kafkaSessionSeconds: integer('KAFKA_SESSION_SECONDS', {
    default: 30,
    min: 10,
    max: 30,
    description:
      'Seconds without a heartbeat after which a reader loses its partitions: the longest pause in reading after a process was killed',
  }),
  kafkaTls: flag('KAFKA_TLS', { default: false, description: 'Connect to the brokers with TLS' }),
  ...kafkaTlsSettings,
  kafkaSaslMechanism: choice('KAFKA_SASL_MECHANISM', SASL_MECHANISMS, {
    description: 'SASL mechanism; without it connections are not authenticated',
  }),
  kafkaSaslUsername: text('KAFKA_SASL_USERNAME', { description: 'SASL user name' }),
  kafkaSaslPassword: secret('KAFKA_SASL_PASSWORD', { description: 'SASL password' }),
  ...kafkaTokenSettings,
} as const;

/** Settings of a service that uses ClickHouse. */
export const clickhouseSettings = {
  clickhouseUrl: httpUrl('CLICKHOUSE_URL', {
    default: 'http://127.0.0.1:8123',
    description: 'URL of the HTTP interface of ClickHouse',
  }),
  clickhouseUsername: text('CLICKHOUSE_USERNAME', { default: 'default', description: 'User name' }),
  clickhousePassword: secret('CLICKHOUSE_PASSWORD', { description: 'Password of the user' }),
  clickhouseDatabase: text('CLICKHOUSE_DATABASE', {
    default: 'assay',
    description: 'Database; created when it does not exist',
  }),
  clickhouseCluster: text('CLICKHOUSE_CLUSTER', {
    description: 'Cluster over which tables are replicated and sharded; without it, a single server',
  }),
  clickhouseShards: integer('CLICKHOUSE_SHARDS', {
    default: 0,
    min: 0,
    max: 1_000,
    description:
      'Number of shards of `CLICKHOUSE_CLUSTER`. A cluster of several shards is refused without it; it is recorded and can never change. 0: not confirmed',
  }),
  ...clickhouseTlsSettings,
} as const;

/** Settings of a service that migrates ClickHouse. */
export const migrationSettings = {
  clickhouseMigrate: flag('CLICKHOUSE_MIGRATE', {
    default: true,
    description:
      'Create and change the tables at the start. `false` for a user without these rights: the start is refused until the argument `migrate` has been run by another',
  }),
} as const;

/** Settings of reads that follow a write. */
export const freshnessSettings = {
  readAfterWriteTimeoutMs: integer('READ_AFTER_WRITE_TIMEOUT_MS', {
    default: 2_000,
    min: 0,
    max: 30_000,
    description:
      'How long results, summaries, comparisons and schemas of runs wait until everything accepted before the request is stored, in milliseconds',
  }),
} as const;

/** How a process that stores events keeps large texts. `isAlone`: no process of another release works on the same tables. */
export function mediaSettings(isAlone: boolean) {
  return {
    storeMediaOnce: flag('STORE_MEDIA_ONCE', {
      default: isAlone,
      description:
        'Store base64 texts and data URLs from 64 KiB on once. Other processes must have a release with this setting: earlier ones cannot read such events',
    }),
  } as const;
}

/** Settings of a service that runs queries on events; `concurrency` is the default number of them at a time. */
export function querySettings(concurrency: number) {
  return {
    queryConcurrency: integer('QUERY_CONCURRENCY', {
      default: concurrency,
      min: 1,
      max: 64,
      description: 'Queries of clients that run at a time, on connections apart from those that store events',
    }),
    queryConcurrencyPerProject: integer('QUERY_CONCURRENCY_PER_PROJECT', {
      default: 2,
      min: 1,
      max: 64,
      description: 'Queries of one project that run at a time; keep it below `QUERY_CONCURRENCY`',
    }),
    queryQueuePerProject: integer('QUERY_QUEUE_PER_PROJECT', {
      default: 100,
      min: 0,
      max: 1000,
      description:
        'Queries of one project that wait; beyond it requests get 503. A search is up to three queries',
    }),
    queryMaxSeconds: integer('QUERY_MAX_SECONDS', {
      default: 30,
      min: 1,
      max: 600,
      description: 'Maximum time of a query, running or waiting; beyond it requests get 400 or 503',
    }),
    queryMaxRowsToRead: integer('QUERY_MAX_ROWS_TO_READ', {
      default: 1_000_000_000,
      min: 0,
      max: 1_000_000_000_000,
      description: 'Maximum rows that a statement of a query reads; beyond it requests get 400. 0: no limit',
    }),
    queryMaxBytesToRead: integer('QUERY_MAX_BYTES_TO_READ', {
      default: 68_719_476_736,
      min: 0,
      max: 100_000_000_000_000,
      description:
        'Maximum uncompressed bytes that a statement of a query reads; beyond it requests get 400. 0: no limit',
    }),
    queryMaxThreads: integer('QUERY_MAX_THREADS', {
      default: 2,
      min: 0,
      max: 256,
      description: 'Threads of the engine for one query; 0: as many as the engine chooses',
    }),
  } as const;
}

/** Settings of a service that uses MongoDB. */
export const mongodbSettings = {
  mongodbUrl: secretUrl(),
  mongodbDatabase: text('MONGODB_DATABASE', { default: 'assay', description: 'Database name' }),
  ...mongodbTlsSettings,
} as const;

/** Settings of a service that calls the control plane. */
export const controlPlaneSettings = {
  controlPlaneUrl: required(httpUrl('CONTROL_PLANE_URL', { description: 'URL of the control plane' })),
  controlPlaneToken: required(
    secret('CONTROL_PLANE_TOKEN', {
      minLength: 20,
      description:
        'Token of this data plane, from `POST /v1/data-planes`; in a single deployment, the `CONTROL_PLANE_TOKEN` of the control plane',
    }),
  ),
  ...controlPlaneTlsSettings,
  projectIds: list('ASSAY_PROJECT_IDS', {
    default: [],
    description:
      'Ids of the projects that this data plane serves; callers of other projects are rejected even if the control plane returns them. Without it, all projects',
  }),
} as const;

/** Secret between the data plane and ingestion. */
export const ingestionTokenSettings = {
  ingestionToken: secret('INGESTION_TOKEN', {
    minLength: 20,
    description:
      'Secret with which the data plane states the caller to ingestion, the same on both; defaults to `CONTROL_PLANE_TOKEN`, which the control plane knows too',
  }),
} as const;

/** Secret between the data plane and the evaluator. */
export const evaluatorTokenSettings = {
  evaluatorToken: secret('EVALUATOR_TOKEN', {
    minLength: 20,
    description:
      'Secret with which the data plane states the caller to the evaluator, the same on both; defaults to `CONTROL_PLANE_TOKEN`, which the control plane knows too',
  }),
} as const;

/** The connection string may contain a password, so it is a secret. */
function secretUrl() {
  return required(secret('MONGODB_URL', { description: 'Connection string `mongodb://…`' }));
}
