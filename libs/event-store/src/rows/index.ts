export { decodeEventRow } from './decode-event-row.js';
export { encodeEventRow } from './encode-event-row.js';
export { parentOfRow } from './parent-of-row.js';
export { rowFromJson } from './row-from-json.js';
export { sessionOfRow } from './session-of-row.js';
export { sameSortKey } from './start-hour.js';
