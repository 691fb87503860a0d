import { MAX_RETENTION_DAYS } from '@assay/domain';
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
} from '@assay/runtime';

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
