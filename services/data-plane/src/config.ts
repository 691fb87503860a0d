import {
  adminSettings,
  bodySettings,
  browserSettings,
  clickhouseSettings,
  controlPlaneSettings,
  diskSettings,
  forwardSettings,
  freshnessSettings,
  httpUrl,
  ingestionTokenSettings,
  kafkaSettings,
  processSettings,
  proxySettings,
  querySettings,
  redactionSettings,
  required,
  text,
} from '@assay/runtime';

/** Settings of the data plane. */
export const dataPlaneSettings = {
  ...processSettings,
  ...browserSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-data-plane',
    description: 'Folder of the key snapshot',
  }),
  ...diskSettings,
  ...proxySettings,
  ...bodySettings,
  ...kafkaSettings,
  ...clickhouseSettings,
  ...querySettings(10),
  ...freshnessSettings,
  ...controlPlaneSettings,
  ...ingestionTokenSettings,
  ...forwardSettings,
  ...redactionSettings,
  ...adminSettings,
  ingestionUrl: required(
    httpUrl('INGESTION_URL', { description: 'URL of ingestion, which serves the routes that accept events' }),
  ),
} as const;
