import {
  adminSettings,
  bodySettings,
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
    description: 'How long the entries of the audit trail are kept',
  }),
} as const;

/** Settings of the control plane. */
export const controlPlaneServiceSettings = {
  ...processSettings,
  ...proxySettings,
  ...bodySettings,
  ...mongodbSettings,
  ...adminSettings,
  ...auditSettings,
  controlPlaneToken: secret('CONTROL_PLANE_TOKEN', {
    minLength: 20,
    description:
      'Token by which the data plane of a single deployment is known, for all projects and all administration; without it only the tokens of registered data planes open anything',
  }),
  pepper: required(
    secret('KEY_PEPPER', {
      minLength: 20,
      description: 'Secret under which keys are hashed; another one makes every key unknown',
    }),
  ),
  project: text('ASSAY_PROJECT', {
    default: 'default',
    description: 'Name of the project that the first start makes',
  }),
  apiKey: secret('ASSAY_API_KEY', {
    minLength: 20,
    description:
      'First key of that project, any text of 20 characters or more; without it one is made and printed once',
  }),
} as const;
