import type { kafkaSettings } from './engine-settings.js';
import { ConfigError, type ConfigOf } from './load-config.js';

const HOUR_MS = 3_600_000;

/** Converts the Kafka settings to options of the event log. @throws ConfigError when the SASL settings are incomplete */
export function kafkaOptions(config: ConfigOf<typeof kafkaSettings>) {
  return {
    brokers: config.kafkaBrokers,
    topicPrefix: config.kafkaTopicPrefix,
    partitions: config.kafkaPartitions,
    replicationFactor: config.kafkaReplicationFactor,
    retentionMs: config.retentionHours * HOUR_MS,
    tls: config.kafkaTls,
    sasl: saslOf(config),
  };
}

function saslOf(config: ConfigOf<typeof kafkaSettings>) {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config;
  if (!mechanism && !username && !password) return undefined;
  if (mechanism && username && password) return { mechanism, username, password };
  throw new ConfigError([
    'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD must be set together',
  ]);
}
