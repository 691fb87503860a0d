export { composeIngestion, type Ingestion } from './compose.js';
export { admissionSettings } from './config.js';
export { openPrices, type Prices } from '@assay/otlp';
