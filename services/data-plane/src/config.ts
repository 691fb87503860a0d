import {
  adminSettings,
  bodySettings,
  browserSettings,
  choice,
  clickhouseSettings,
  consoleSettings,
  controlPlaneSettings,
  diskSettings,
  evaluatorTlsSettings,
  evaluatorTokenSettings,
  forwardSettings,
  freshnessSettings,
  httpUrl,
  integer,
  ingestionTlsSettings,
  ingestionTokenSettings,
  kafkaSettings,
  migrationSettings,
  processSettings,
  projectRemovalSettings,
  proxySettings,
  querySettings,
  redactionSettings,
  required,
  text,
} from '@assay/runtime';
import { DATA_PLANE_ROLES } from './options.js';

/** Settings of the data plane. */
export const dataPlaneSettings = {
  ...processSettings,
  ...browserSettings,
  ...consoleSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-data-plane',
    description: 'Folder of the key snapshot and of the epoch of the log',
  }),
  role: choice('ASSAY_ROLE', DATA_PLANE_ROLES, {
    default: 'all',
    description:
      'What this process does: `query` answers requests, `readers` stores and forwards events, `all` does both',
  }),
  ...diskSettings,
  ...proxySettings,
  ...bodySettings,
  ...kafkaSettings,
  ...clickhouseSettings,
  ...migrationSettings,
  ...querySettings(10),
  ...freshnessSettings,
  ...controlPlaneSettings,
  ...ingestionTokenSettings,
  ...forwardSettings,
  ...redactionSettings,
  ...projectRemovalSettings,
  ...adminSettings,
  ingestionUrl: required(
    httpUrl('INGESTION_URL', { description: 'URL of ingestion, which serves the routes that accept events' }),
  ),
  evaluatorUrl: httpUrl('EVALUATOR_URL', {
    description: 'URL of the evaluator, which runs metrics on request; without it these routes get 503',
  }),
  ...evaluatorTokenSettings,
  evaluatorTimeoutMs: integer('EVALUATOR_TIMEOUT_MS', {
    default: 90_000,
    min: 1_000,
    max: 900_000,
    description:
      'Time limit of a request to the evaluator, in milliseconds; keep it above `LLM_PROXY_TIMEOUT_MS` of the evaluator by 15 seconds',
  }),
  ...ingestionTlsSettings,
  ...evaluatorTlsSettings,
} as const;
