import { auditSettings } from '@assay/control-plane';
import { traceSettings } from '@assay/ingestion';
import {
  adminSettings,
  bodySettings,
  browserSettings,
  diskSettings,
  forwardSettings,
  processSettings,
  proxySettings,
  querySettings,
  redactionSettings,
  retentionSettings,
  secret,
  text,
} from '@assay/runtime';

/** What may be set on the single process. */
export const standaloneSettings = {
  ...processSettings,
  ...browserSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay',
    description: 'Folder of the log, the stores and the snapshots',
  }),
  project: text('ASSAY_PROJECT', {
    default: 'default',
    description: 'Name of the project that the first start makes',
  }),
  apiKey: secret('ASSAY_API_KEY', {
    minLength: 20,
    description:
      'First key of that project, any text of 20 characters or more; without it one is made and printed once',
  }),
  ...diskSettings,
  ...adminSettings,
  ...auditSettings,
  ...proxySettings,
  ...bodySettings,
  ...traceSettings,
  ...forwardSettings,
  ...redactionSettings,
  ...querySettings(3),
  ...retentionSettings,
} as const;
