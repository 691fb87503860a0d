import { adminSettings, bodySettings, mongodbSettings, processSettings, required, secret, text } from '@assay/runtime';

/** What may be set on the control plane. */
export const controlPlaneServiceSettings = {
  ...processSettings,
  ...bodySettings,
  ...mongodbSettings,
  ...adminSettings,
  controlPlaneToken: required(
    secret('CONTROL_PLANE_TOKEN', { minLength: 20, description: 'Token by which ingestion and the data plane are known' }),
  ),
  pepper: required(
    secret('KEY_PEPPER', { minLength: 20, description: 'Secret under which keys are hashed; another one makes every key unknown' }),
  ),
  project: text('ASSAY_PROJECT', { default: 'default', description: 'Name of the project that the first start makes' }),
  apiKey: secret('ASSAY_API_KEY', {
    minLength: 20,
    description: 'First key of that project, any text of 20 characters or more; without it one is made and printed once',
  }),
} as const;
