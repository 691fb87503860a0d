export { composeStandalone } from './compose.js';
export { standaloneSettings } from './config.js';
