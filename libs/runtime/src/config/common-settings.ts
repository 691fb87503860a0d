import { LOG_FORMATS, LOG_LEVELS } from '../log/logger.js';
import {
  choice,
  flag,
  httpUrl,
  integer,
  list,
  networks,
  origins,
  secret,
  smtpUrl,
  text,
} from './settings.js';
import { telemetrySettings } from './telemetry-settings.js';
import { listenerTlsSettings } from './tls-settings.js';

/** Settings of every process. */
export const processSettings = {
  host: text('ASSAY_HOST', {
    default: '127.0.0.1',
    description: 'Address on which the API listens',
  }),
  port: integer('ASSAY_PORT', {
    default: 8090,
    min: 0,
    max: 65535,
    description: 'Port of the API; 0 for any free port',
  }),
  adminHost: text('ASSAY_ADMIN_HOST', {
    default: '127.0.0.1',
    description:
      'Address on which the admin port listens. It requires no key: use another address only in a network that clients cannot reach',
  }),
  adminPort: integer('ASSAY_ADMIN_PORT', {
    default: 8091,
    min: 0,
    max: 65535,
    description:
      'Port of `/metrics` (Prometheus), `/healthz`, `/readyz` and `/log-level`; 0 for any free port',
  }),
  ...listenerTlsSettings,
  maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', {
    min: 1,
    max: 2_000,
    description:
      'Open connections from one address that is not in `TRUSTED_PROXIES`, of 2,000 in total; beyond it a new one replaces an idle or slow one. By default 1,000 where `TRUSTED_PROXIES` is empty, else no limit',
  }),
  logLevel: choice('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    description: 'Lowest severity that is logged. `PUT /log-level` of the admin port changes it for a while',
  }),
  logFormat: choice('LOG_FORMAT', LOG_FORMATS, {
    description: 'Format of log lines; without it, `text` on a terminal and `json` otherwise',
  }),
  ...telemetrySettings,
} as const;

/** Settings of a process that writes to a local disk. */
export const diskSettings = {
  minFreeDisk: integer('MIN_FREE_DISK', {
    min: 0,
    max: 1_099_511_627_776,
    description:
      'Reserve of free disk space in bytes: below it nothing is written to the data folder, except deletes down to a quarter of it. Without it, 256 MiB, or 2 % of a file system smaller than 12.5 GiB; 0 for no reserve',
  }),
} as const;

/** Settings of a process that accepts OTLP over gRPC. */
export const grpcSettings = {
  otlpGrpcPort: integer('ASSAY_OTLP_GRPC_PORT', {
    default: 4317,
    min: 0,
    max: 65535,
    description: 'Port of OTLP over gRPC, on the address and with the TLS of the API; 0 turns it off',
  }),
} as const;

/** CORS settings. */
export const browserSettings = {
  allowedOrigins: origins('CORS_ALLOWED_ORIGINS', {
    default: [],
    description:
      'Origins whose pages may call the API from a browser, such as `https://app.example.com`; `*` matches any text within a host, or every origin when alone',
  }),
} as const;

/** Settings of every process that serves agents. */
export const agentSettings = {
  serveMcp: flag('SERVE_MCP', {
    default: true,
    description: 'Serve the tools of agents at `/mcp`, by the Model Context Protocol',
  }),
} as const;

/** Settings of every process that estimates costs. */
export const priceSettings = {
  priceTableFile: text('PRICE_TABLE_FILE', {
    description: 'JSON price table that replaces the built-in prices; a change of the file holds within 30 s',
  }),
} as const;

/** Settings of a process that receives request bodies. */
export const bodySettings = {
  maxBodyBytesInFlight: integer('MAX_BODY_BYTES_IN_FLIGHT', {
    default: 268_435_456,
    min: 67_108_864,
    max: 17_179_869_184,
    description:
      'Maximum inflated bytes of request bodies in memory; beyond it requests get 503. A project may use a quarter',
  }),
} as const;

/** Settings of a process that clients may call through a proxy. */
export const proxySettings = {
  trustedProxies: networks('TRUSTED_PROXIES', {
    description:
      'Proxies whose `X-Forwarded-For` is trusted; without them, the client address is that of the connection',
  }),
} as const;

/** Settings of a process with administrative routes. */
export const adminSettings = {
  adminToken: secret('ASSAY_ADMIN_TOKEN', {
    minLength: 20,
    description: 'Token of the administrative routes',
  }),
} as const;

/** Settings of a process that tells the control plane about events. */
export const redactionSettings = {
  redactValues: flag('REDACT_VALUES', {
    default: false,
    description:
      'Redact events before they are forwarded: all values of inputs and outputs, and all other text that is not on the allow list',
  }),
  redactAllow: list('REDACT_ALLOW', {
    default: [],
    description:
      'Names added to the allow list of `REDACT_VALUES`, such as `tier,customer.plan`: text under them leaves as one line of up to 200 characters',
  }),
  redactFields: list('REDACT_FIELDS', {
    default: [],
    description:
      'Additional fields to redact, such as `metadata.user,feedback,metadata.*_text`; a prefix `!` exempts a field. The more specific entry wins',
  }),
  redactNames: flag('REDACT_NAMES', {
    default: false,
    description:
      'With `REDACT_VALUES`: names of events and sessions, and `source`, leave only as a token of `REDACT_NAMES_KEY`',
  }),
  redactNamesKey: secret('REDACT_NAMES_KEY', {
    minLength: 32,
    description: 'Key of the tokens of `REDACT_NAMES`, the same in every process of a data plane',
  }),
  redactNumbers: flag('REDACT_NUMBERS', {
    default: false,
    description:
      'With `REDACT_VALUES`: numbers leave only under names of the allow list, such as `total_tokens` and those of `REDACT_ALLOW`',
  }),
} as const;

/** Settings of a process that tells the control plane about events. */
export const forwardSettings = {
  forwardEvents: flag('FORWARD_EVENTS', {
    default: true,
    description:
      'Forward events, redacted, to the control plane. Without it annotation queues receive no events',
  }),
  forwardRetryMaxMs: integer('FORWARD_RETRY_MAX_MS', {
    default: 60_000,
    min: 10,
    max: 3_600_000,
    description: 'Maximum retry backoff, in milliseconds, when forwarding to the control plane',
  }),
} as const;

/** Settings of a process that stores events of projects, and removes them with their project or after their retention. */
export const projectRemovalSettings = {
  deletedProjectCheckSeconds: integer('DELETED_PROJECT_CHECK_SECONDS', {
    default: 60,
    min: 1,
    max: 86_400,
    description:
      'Seconds between two checks for deleted projects, whose events are then removed from the event store',
  }),
  expiredEventCheckSeconds: integer('EXPIRED_EVENT_CHECK_SECONDS', {
    default: 20,
    min: 1,
    max: 3_600,
    description:
      'Seconds between the end of a look for events whose retention is over, which are then removed, and the next look',
  }),
} as const;

/** Settings of a process that evaluates alerts. */
export const alertSettings = {
  alertAllowedHosts: list('ALERT_ALLOWED_HOSTS', {
    default: [],
    description:
      'Hosts of webhooks, as `name` or `name:port`, that may have private addresses, plain HTTP and any port',
  }),
  alertSmtpUrl: smtpUrl('ALERT_SMTP_URL', {
    description:
      'Mail server for e-mails of alerts, such as `smtps://user:password@mail.example.com:465`; `smtp` with a user needs STARTTLS',
  }),
  alertMailFrom: text('ALERT_MAIL_FROM', {
    description: 'Sender of e-mails of alerts, such as `Assay <assay@example.com>`',
  }),
  alertMailDomains: list('ALERT_MAIL_DOMAINS', {
    default: [],
    description:
      'Domains of addresses that may get e-mails of alerts, such as `example.com`; their subdomains are others',
  }),
  alertMailPerHour: integer('ALERT_MAIL_PER_HOUR', {
    default: 100,
    min: 1,
    max: 100_000,
    description:
      'Attempts to send an e-mail per project and hour, in each process. What is beyond is sent later',
  }),
} as const;

/** Settings of a process that exports events to an object store. */
export const objectExportSettings = {
  exportS3Endpoint: httpUrl('EXPORT_S3_ENDPOINT', {
    description:
      'Object store with the S3 protocol to which projects can export events, such as `https://s3.eu-central-1.amazonaws.com`; without it none do',
  }),
  exportS3Bucket: text('EXPORT_S3_BUCKET', { description: 'Bucket of the exports' }),
  exportS3Prefix: text('EXPORT_S3_PREFIX', {
    description: 'Beginning of all keys in it, such as `assay/prod`',
  }),
  exportS3Region: text('EXPORT_S3_REGION', { default: 'us-east-1', description: 'Region of the bucket' }),
  exportS3AccessKeyId: text('EXPORT_S3_ACCESS_KEY_ID', { description: 'Id of a key of the object store' }),
  exportS3SecretAccessKey: secret('EXPORT_S3_SECRET_ACCESS_KEY', { description: 'That key' }),
} as const;

/** Settings of a process that removes the values of deleted events. */
export const purgeSettings = {
  purgeDeletedHours: integer('PURGE_DELETED_HOURS', {
    default: 24,
    min: 1,
    max: 720,
    description: 'Hours after a delete within which its values leave the disk of the event store',
  }),
  purgeMaxBytesPerHour: integer('PURGE_MAX_BYTES_PER_HOUR', {
    default: 8 * 1024 ** 3,
    min: 1024 ** 2,
    max: Number.MAX_SAFE_INTEGER,
    description:
      'Bytes on disk that are rewritten in an hour to remove values of deleted events; the limit counts, also where they then take longer',
  }),
  purgeTombstoneDays: integer('PURGE_TOMBSTONE_DAYS', {
    default: 30,
    min: 1,
    max: 3_650,
    description:
      'Days for which the event store remembers that an event has expired, so that a record of it that is delivered again is not stored; longer than the log keeps records',
  }),
} as const;
