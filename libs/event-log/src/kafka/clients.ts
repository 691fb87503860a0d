import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { Kafka, logLevel, type ISocketFactory, type KafkaConfig } from 'kafkajs';
import type { Logger } from '@assay/runtime';
import { logCreatorFor } from './kafka-logger.js';
import { patchFetchDecoder } from './kafkajs-fetch-patch.js';
import { patchProduceEncoder } from './kafkajs-produce-patch.js';
import { patchStop } from './kafkajs-stop-patch.js';
import { saslOptions, type SaslCredentials } from './sasl/sasl-options.js';

/** How to reach the brokers. */
export interface KafkaConnectionOptions {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[];
  readonly clientId?: string;
  readonly sasl?: SaslCredentials | undefined;
  /** `true` to trust the certificate authorities of Node, or options of each TLS connection when it opens. */
  readonly tls?: boolean | (() => ConnectionOptions);
  /** Replaces addresses that brokers advertise, for brokers behind a tunnel: `host:port` → `host:port`. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** How appended records are compressed; `gzip` by default. Either is read. */
  readonly compression?: 'gzip' | 'none';
  readonly logger: Logger;
}

/** Explicit, because the client's defaults depend on the environment. */
const BACKOFF = { initialRetryTime: 200, factor: 0.2, multiplier: 2 } as const;
const KEEP_ALIVE_MS = 60_000;

/** Separate clients, and so separate connections, for writing and reading. */
export interface KafkaClients {
  /** Fails fast, so that a request can still be responded to: three attempts of 2.5 s. */
  readonly forWriting: Kafka;
  /** Has long timeouts for large responses, and more retries. */
  readonly forReading: Kafka;
}

export function makeClients(options: KafkaConnectionOptions): KafkaClients {
  patchProduceEncoder();
  patchFetchDecoder();
  patchStop();
  const shared: KafkaConfig = {
    brokers: [...options.brokers],
    clientId: options.clientId ?? 'assay',
    ssl: Boolean(options.tls),
    sasl: options.sasl && saslOptions(options.sasl),
    connectionTimeout: 1_000,
    socketFactory: socketsTo(options),
    logLevel: logLevel.WARN,
    logCreator: logCreatorFor(options.logger),
  };
  return {
    forWriting: new Kafka({
      ...shared,
      requestTimeout: 2_500,
      retry: { ...BACKOFF, retries: 2, maxRetryTime: 1_000 },
    }),
    forReading: new Kafka({
      ...shared,
      requestTimeout: 30_000,
      retry: { ...BACKOFF, retries: 5, maxRetryTime: 3_000 },
    }),
  };
}

function socketsTo({ addresses = {}, tls }: KafkaConnectionOptions): ISocketFactory {
  const tlsOptions = typeof tls === 'function' ? tls : () => ({});
  const redirects = new Map(Object.entries(addresses));
  return ({ host, port, ssl, onConnect }) => {
    const target = addressOf(redirects.get(`${host}:${port}`) ?? `${host}:${port}`);
    const servername = isIP(host) ? {} : { servername: host };
    const socket = ssl
      ? connectTls({ ...target, ...servername, ...tlsOptions() }, onConnect)
      : connectPlain(target, onConnect);
    return socket.setKeepAlive(true, KEEP_ALIVE_MS).setNoDelay(true);
  };
}

function addressOf(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
