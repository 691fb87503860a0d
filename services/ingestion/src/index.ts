export { composeIngestion } from './compose.js';
export { traceSettings } from './config.js';
export { readPriceTable } from './traces/read-price-table.js';
