import { readFileSync } from 'node:fs';
import type { kafkaSettings } from '../config/engine-settings.js';
import { ConfigError, type ConfigOf } from '../config/load-config.js';
import type { Logger } from '../log/logger.js';
import { connectionTls } from '../tls/tls-files.js';

const SECOND_MS = 1_000;
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
    maxMessageBytes: config.maxEventBytes,
    compression: config.kafkaCompression,
    sessionMs: config.kafkaSessionSeconds * SECOND_MS,
    tls: tls === undefined ? config.kafkaTls : () => tls.latest(),
    sasl: saslOf(config),
  };
}

function saslOf(config: ConfigOf<typeof kafkaSettings>) {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config;
  if (mechanism === 'oauthbearer') return { mechanism, client: oauthClientOf(config) };
  if (mechanism === 'aws-msk-iam') return { mechanism, source: awsSourceOf(config) };
  if (!mechanism && !username && !password) return undefined;
  if (mechanism && username && password) return { mechanism, username, password };
  throw new ConfigError([
    'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD must be set together',
  ]);
}

function oauthClientOf(config: ConfigOf<typeof kafkaSettings>) {
  const { kafkaOauthTokenUrl: tokenUrl, kafkaOauthClientId: clientId } = config;
  const { kafkaOauthClientSecret: clientSecret, kafkaOauthCaFile: caFile } = config;
  if (!tokenUrl || !clientId || !clientSecret)
    throw new ConfigError([
      'KAFKA_SASL_MECHANISM=oauthbearer needs KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET',
    ]);
  const ca = caFile === undefined ? undefined : readFileSync(caFile.path);
  return {
    ...{ tokenUrl, clientId, clientSecret, ca },
    scope: config.kafkaOauthScope,
    audience: config.kafkaOauthAudience,
  };
}

function awsSourceOf(config: ConfigOf<typeof kafkaSettings>) {
  const source = {
    accessKeyId: config.awsAccessKeyId,
    secretAccessKey: config.awsSecretAccessKey,
    sessionToken: config.awsSessionToken,
    roleArn: config.awsRoleArn,
    webIdentityTokenFile: config.awsWebIdentityTokenFile,
    stsUrl: config.awsStsUrl,
    containerCredentialsUrl: config.awsContainerCredentialsUrl,
    containerTokenFile: config.awsContainerTokenFile,
  };
  const hasKey = source.accessKeyId && source.secretAccessKey;
  const hasRole = source.roleArn && source.webIdentityTokenFile;
  if (!config.awsRegion || !(hasKey || hasRole || source.containerCredentialsUrl))
    throw new ConfigError([
      'KAFKA_SASL_MECHANISM=aws-msk-iam needs AWS_REGION and credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ' +
        'AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE, or AWS_CONTAINER_CREDENTIALS_FULL_URI',
    ]);
  return { region: config.awsRegion, ...source };
}
