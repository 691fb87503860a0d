import { LOG_LEVELS } from '../log/logger.js';
import { choice, flag, integer, list, networks, origins, secret, text } from './settings.js';

/** Settings that every process has. */
export const processSettings = {
  host: text('ASSAY_HOST', {
    default: '127.0.0.1',
    description: 'Address that the API and the admin port listen on',
  }),
  port: integer('ASSAY_PORT', {
    default: 8090,
    min: 0,
    max: 65535,
    description: 'Port of the API; 0 takes any free one',
  }),
  adminPort: integer('ASSAY_ADMIN_PORT', {
    default: 8091,
    min: 0,
    max: 65535,
    description: 'Port of `/metrics` (Prometheus), `/healthz` and `/readyz`; 0 takes any free one',
  }),
  logLevel: choice('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    description: 'Least severe lines that are logged',
  }),
} as const;

/** Settings of a process that browsers may call. */
export const browserSettings = {
  allowedOrigins: origins('CORS_ALLOWED_ORIGINS', {
    default: [],
    description:
      'Origins whose pages may call the API from a browser, such as `https://app.example.com`; a `*` stands for any text of a host, alone for every origin',
  }),
} as const;

/** Settings of a process that takes event bodies. */
export const bodySettings = {
  maxBodyBytesInFlight: integer('MAX_BODY_BYTES_IN_FLIGHT', {
    default: 268_435_456,
    min: 67_108_864,
    max: 17_179_869_184,
    description:
      'Inflated bytes of bodies that are held at one time; beyond it requests get 503. A project may take a quarter',
  }),
} as const;

/** Settings of a process that clients call, perhaps through a proxy. */
export const proxySettings = {
  trustedProxies: networks('TRUSTED_PROXIES', {
    description:
      "Proxies whose `X-Forwarded-For` says where a request comes from; without them it is the connection's address",
  }),
} as const;

/** Settings of a process that may be asked for administrative routes. */
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
      'Whether the control plane sees every value of inputs and outputs, explanations and error texts as the empty one of its type',
  }),
  redactFields: list('REDACT_FIELDS', {
    default: [],
    description:
      'Further fields that it sees empty, such as `metadata.user,feedback,metadata.*_text`; with `!` in front, fields that it sees as they are. The more exact entry wins',
  }),
} as const;

/** Settings of a process that tells the control plane about events. */
export const forwardSettings = {
  forwardEvents: flag('FORWARD_EVENTS', {
    default: true,
    description:
      'Whether the control plane is told about events, redacted; without it annotation queues receive none, and the work is saved',
  }),
  forwardRetryMaxMs: integer('FORWARD_RETRY_MAX_MS', {
    default: 60_000,
    min: 10,
    max: 3_600_000,
    description: 'Longest wait before a control plane that is away is told again, in milliseconds',
  }),
} as const;
