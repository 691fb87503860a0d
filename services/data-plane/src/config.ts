import {
  adminSettings,
  bodySettings,
  browserSettings,
  clickhouseSettings,
  controlPlaneSettings,
  forwardSettings,
  httpUrl,
  ingestionTokenSettings,
  kafkaSettings,
  processSettings,
  proxySettings,
  redactionSettings,
  required,
  text,
} from '@assay/runtime';

/** What may be set on the data plane. */
export const dataPlaneSettings = {
  ...processSettings,
  ...browserSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-data-plane',
    description: 'Folder of the key snapshot',
  }),
  ...proxySettings,
  ...bodySettings,
  ...kafkaSettings,
  ...clickhouseSettings,
  ...controlPlaneSettings,
  ...ingestionTokenSettings,
  ...forwardSettings,
  ...redactionSettings,
  ...adminSettings,
  ingestionUrl: required(
    httpUrl('INGESTION_URL', { description: 'Address of ingestion, for routes that take events' }),
  ),
} as const;
