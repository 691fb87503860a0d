import type { kafkaSettings } from '../config/engine-settings.js';
import { ConfigError, type ConfigOf } from '../config/load-config.js';
import type { Logger } from '../log/logger.js';
import { connectionTls } from '../tls/tls-files.js';

const HOUR_MS = 3_600_000;

/** Converts the Kafka settings to options of the event log. @throws ConfigError when the SASL settings are incomplete */
export function kafkaOptions(config: ConfigOf<typeof kafkaSettings>, logger: Pick<Logger, 'warn'>) {
  const files = { ca: config.kafkaCaFile, cert: config.kafkaCertFile, key: config.kafkaKeyFile };
  const tls = connectionTls(files, logger);
  return {
    brokers: config.kafkaBrokers,
    topicPrefix: config.kafkaTopicPrefix,
    partitions: config.kafkaPartitions,
    replicationFactor: config.kafkaReplicationFactor,
    retentionMs: config.retentionHours * HOUR_MS,
    tls: tls === undefined ? config.kafkaTls : () => tls.latest(),
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
