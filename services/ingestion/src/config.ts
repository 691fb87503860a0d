import {
  bodySettings,
  browserSettings,
  controlPlaneSettings,
  diskSettings,
  grpcSettings,
  ingestionTokenSettings,
  integer,
  kafkaSettings,
  priceSettings,
  processSettings,
  text,
} from '@assay/runtime';

/** Settings of every process that appends events to the log. */
export const admissionSettings = {
  maxStoreLagSeconds: integer('MAX_STORE_LAG_SECONDS', {
    default: 2,
    min: 0,
    max: 3_600,
    description:
      'How far the event store may be behind, in seconds of its throughput, before projects with more than an equal share of that get 503; 0: no limit',
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
  ...grpcSettings,
  ...priceSettings,
  ...admissionSettings,
  ...kafkaSettings,
  ...controlPlaneSettings,
  ...ingestionTokenSettings,
} as const;
