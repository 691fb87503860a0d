import {
  bodySettings,
  browserSettings,
  controlPlaneSettings,
  ingestionTokenSettings,
  kafkaSettings,
  processSettings,
  text,
} from '@assay/runtime';

/** What may be set wherever spans are taken. */
export const traceSettings = {
  priceTableFile: text('PRICE_TABLE_FILE', {
    description:
      'JSON file of prices by model, in place of those that come along; they estimate the cost of model calls that report none',
  }),
} as const;

/** What may be set on the ingestion service. */
export const ingestionSettings = {
  ...processSettings,
  ...browserSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-ingestion',
    description: 'Folder of the key snapshot',
  }),
  ...bodySettings,
  ...traceSettings,
  ...kafkaSettings,
  ...controlPlaneSettings,
  ...ingestionTokenSettings,
} as const;
