import { MAX_INGEST_LIMITS, MAX_RETENTION_DAYS, type ActiveLimits } from '@assay/domain';
import {
  adminSettings,
  bodySettings,
  consoleSettings,
  httpUrl,
  integer,
  mongodbSettings,
  processSettings,
  proxySettings,
  required,
  secret,
  text,
  type ConfigOf,
} from '@assay/runtime';
import { identityProviderSettings } from './identity/people/identity-provider-settings.js';

/** Settings of a process that stores the audit trail. */
export const auditSettings = {
  auditRetentionDays: integer('AUDIT_RETENTION_DAYS', {
    default: 365,
    min: 1,
    max: 3650,
    description: 'Retention of audit entries',
  }),
} as const;

/** Settings of a process that decides how long events are kept. */
export const eventRetentionSettings = {
  eventRetentionDays: integer('EVENT_RETENTION_DAYS', {
    min: 1,
    max: MAX_RETENTION_DAYS,
    description:
      'Days after its start during which an event of a project without a `default` retention is kept; without it for ever',
  }),
} as const;

/** Settings of a process that decides how much projects may send. */
export const ingestLimitSettings = {
  projectEventsPerSecond: integer('PROJECT_EVENTS_PER_SECOND', {
    min: 1,
    max: MAX_INGEST_LIMITS.events_per_second,
    description: 'Limit `events_per_second` of projects without their own; without it none',
  }),
  projectBytesPerDay: integer('PROJECT_BYTES_PER_DAY', {
    min: 1,
    max: MAX_INGEST_LIMITS.bytes_per_day,
    description: 'Limit `bytes_per_day` of projects without their own; without it none',
  }),
} as const;

/** Settings of a process that says when alerts are evaluated. */
export const alertIntervalSettings = {
  alertIntervalSeconds: integer('ALERT_INTERVAL_SECONDS', {
    default: 60,
    min: 1,
    max: 3_600,
    description: 'Time between the evaluations of an alert, in seconds',
  }),
} as const;

/** Returns the limits that the settings name. */
export function ingestLimitsFrom(config: ConfigOf<typeof ingestLimitSettings>): ActiveLimits {
  const { projectEventsPerSecond: events, projectBytesPerDay: bytes } = config;
  return {
    ...(events !== undefined && { events_per_second: events }),
    ...(bytes !== undefined && { bytes_per_day: bytes }),
  };
}

/** Settings of the control plane. */
export const controlPlaneServiceSettings = {
  ...processSettings,
  ...proxySettings,
  ...bodySettings,
  ...consoleSettings,
  consoleDataPlaneUrl: httpUrl('CONSOLE_DATA_PLANE_URL', {
    description:
      'Address of the console of the data plane, to which the console of the control plane, which has no values, links',
  }),
  ...mongodbSettings,
  ...adminSettings,
  ...auditSettings,
  ...eventRetentionSettings,
  ...ingestLimitSettings,
  ...alertIntervalSettings,
  ...identityProviderSettings,
  controlPlaneToken: secret('CONTROL_PLANE_TOKEN', {
    minLength: 20,
    description:
      'Token of the data plane of a single deployment, for all projects and administrative routes; without it only tokens of registered data planes are accepted',
  }),
  pepper: required(
    secret('KEY_PEPPER', {
      minLength: 20,
      description: 'Secret of the key hashes; changing it invalidates every key',
    }),
  ),
  project: text('ASSAY_PROJECT', {
    default: 'default',
    description: 'Name of the project that the first start creates',
  }),
  apiKey: secret('ASSAY_API_KEY', {
    minLength: 20,
    description:
      'First key of that project, any text of 20 characters or more; without it one is generated and printed once',
  }),
} as const;
