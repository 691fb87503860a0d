export { composeIngestion } from './compose.js';
export { admissionSettings, traceSettings } from './config.js';
export { readPriceTable } from './traces/read-price-table.js';
