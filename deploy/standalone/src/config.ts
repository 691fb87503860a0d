import {
  alertIntervalSettings,
  auditSettings,
  eventRetentionSettings,
  identityProviderSettings,
  ingestLimitSettings,
} from '@assay/control-plane';
import { evaluationSettings, evaluationSwitch } from '@assay/evaluator';
import { admissionSettings } from '@assay/ingestion';
import {
  adminSettings,
  agentSettings,
  bodySettings,
  browserSettings,
  consoleSettings,
  diskSettings,
  forwardSettings,
  freshnessSettings,
  grpcSettings,
  integer,
  mediaSettings,
  priceSettings,
  processSettings,
  projectRemovalSettings,
  alertSettings,
  objectExportSettings,
  purgeSettings,
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
  ...consoleSettings,
  ...agentSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay',
    description: 'Folder of the log, the stores and the snapshots',
  }),
  project: text('ASSAY_PROJECT', {
    default: 'default',
    description: 'Name of the project that the first start creates',
  }),
  apiKey: secret('ASSAY_API_KEY', {
    minLength: 20,
    description:
      'First key of that project, at least 20 characters; without it a key is generated and printed once',
  }),
  ...diskSettings,
  ...adminSettings,
  ...auditSettings,
  ...eventRetentionSettings,
  ...ingestLimitSettings,
  ...alertIntervalSettings,
  ...identityProviderSettings,
  ...proxySettings,
  ...bodySettings,
  ...grpcSettings,
  ...priceSettings,
  ...admissionSettings,
  ...forwardSettings,
  ...evaluationSwitch,
  ...evaluationSettings,
  ...redactionSettings,
  ...projectRemovalSettings,
  ...purgeSettings,
  ...alertSettings,
  ...objectExportSettings,
  ...mediaSettings(true),
  ...querySettings(3),
  ...freshnessSettings,
  ...retentionSettings,
  maxLogBytes: integer('MAX_LOG_BYTES', {
    default: 0,
    min: 0,
    max: 2 ** 50,
    description:
      'Size of the log beyond which the oldest records are removed even if a consumer has not read them; 0: no limit',
  }),
  maxStoreBytes: integer('MAX_STORE_BYTES', {
    min: 64 * 1024 ** 2,
    max: 2 ** 50,
    description:
      'Size of the event store on disk beyond which the oldest events of all projects are dropped, until it is a tenth smaller; without it no limit',
  }),
} as const;
