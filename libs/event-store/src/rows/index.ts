export {
  decodeEventRow,
  decodeEventRowPart,
  encodeEventRow,
  encodeEventRowSteps,
  parentOfRow,
  sessionOfRow,
} from './event-row.js';
export { decodeNarrowRow, decodePayload, encodeNarrowRow, payloadOfRow } from './payload-of-row.js';
export type { RowPart } from './event-row-codec.js';
export { rowFromJson } from './row-from-json.js';
export { sameSortKey } from './start-hour.js';
