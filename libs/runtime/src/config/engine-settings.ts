import { choice, flag, httpUrl, integer, list, required, secret, text } from './settings.js';

/** How a service reaches Kafka. */
export const kafkaSettings = {
  kafkaBrokers: list('KAFKA_BROKERS', {
    default: ['127.0.0.1:9092'],
    description: 'Addresses `host:port` of brokers',
  }),
  kafkaTopicPrefix: text('KAFKA_TOPIC_PREFIX', {
    default: 'assay-',
    description: 'Stands before the names of topics and groups',
  }),
  kafkaPartitions: integer('KAFKA_PARTITIONS', {
    default: 12,
    min: 1,
    max: 1000,
    description: 'Partitions of a topic that is made',
  }),
  kafkaReplicationFactor: integer('KAFKA_REPLICATION_FACTOR', {
    default: 3,
    min: 1,
    max: 9,
    description:
      'Copies of each partition of a topic that is made; with 3, two must be in sync for an append to count',
  }),
  kafkaEpoch: integer('KAFKA_EPOCH', {
    default: 0,
    min: 0,
    max: 500,
    description: 'Raise by one, after the readers have caught up, whenever the number of partitions changes',
  }),
  kafkaTls: flag('KAFKA_TLS', { default: false, description: 'Whether to speak TLS to the brokers' }),
  kafkaSaslMechanism: choice('KAFKA_SASL_MECHANISM', ['plain', 'scram-sha-256', 'scram-sha-512'], {
    description: 'How to log in to the brokers; without it nobody logs in',
  }),
  kafkaSaslUsername: text('KAFKA_SASL_USERNAME', { description: 'Name to log in with' }),
  kafkaSaslPassword: secret('KAFKA_SASL_PASSWORD', { description: 'Password to log in with' }),
} as const;

/** How a service reaches ClickHouse. */
export const clickhouseSettings = {
  clickhouseUrl: httpUrl('CLICKHOUSE_URL', {
    default: 'http://127.0.0.1:8123',
    description: 'HTTP interface of ClickHouse',
  }),
  clickhouseUsername: text('CLICKHOUSE_USERNAME', { default: 'default', description: 'User' }),
  clickhousePassword: secret('CLICKHOUSE_PASSWORD', { description: 'Password of the user' }),
  clickhouseDatabase: text('CLICKHOUSE_DATABASE', {
    default: 'assay',
    description: 'Database; made when it is not there',
  }),
  clickhouseCluster: text('CLICKHOUSE_CLUSTER', {
    description: 'Cluster that tables are replicated and sharded over; without it a single server',
  }),
} as const;

/** How a service reaches MongoDB. */
export const mongodbSettings = {
  mongodbUrl: secretUrl(),
  mongodbDatabase: text('MONGODB_DATABASE', { default: 'assay', description: 'Database' }),
} as const;

/** How a service reaches the control plane. */
export const controlPlaneSettings = {
  controlPlaneUrl: required(httpUrl('CONTROL_PLANE_URL', { description: 'Address of the control plane' })),
  controlPlaneToken: required(
    secret('CONTROL_PLANE_TOKEN', {
      minLength: 20,
      description:
        'Token of this data plane, from `POST /v1/data-planes`; or the `CONTROL_PLANE_TOKEN` of the control plane of a single deployment',
    }),
  ),
  projectIds: list('ASSAY_PROJECT_IDS', {
    default: [],
    description:
      'Ids of the projects that this data plane serves; a control plane that names another one is not believed. Without it: any project',
  }),
} as const;

/** The secret between the data plane and its ingestion. */
export const ingestionTokenSettings = {
  ingestionToken: secret('INGESTION_TOKEN', {
    minLength: 20,
    description:
      'Secret by which ingestion believes the data plane who a caller is, the same on both; without it `CONTROL_PLANE_TOKEN` serves, which the control plane knows too',
  }),
} as const;

/** The address may hold a password, so it counts as a secret. */
function secretUrl() {
  return required(secret('MONGODB_URL', { description: 'Connection string `mongodb://…`' }));
}
