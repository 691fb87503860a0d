import {
  bodySettings,
  browserSettings,
  controlPlaneSettings,
  diskSettings,
  ingestionTokenSettings,
  kafkaSettings,
  processSettings,
  text,
} from '@assay/runtime';

/** Settings of every process that accepts spans. */
export const traceSettings = {
  priceTableFile: text('PRICE_TABLE_FILE', {
    description:
      'JSON price table that replaces the built-in prices, which estimate the cost of calls that report none',
  }),
} as const;

/** Settings of the ingestion service. */
export const ingestionSettings = {
  ...processSettings,
  ...browserSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-ingestion',
    description: 'Folder of the key snapshot',
  }),
  ...diskSettings,
  ...bodySettings,
  ...traceSettings,
  ...kafkaSettings,
  ...controlPlaneSettings,
  ...ingestionTokenSettings,
} as const;
