export {
  indexLeaves,
  isIndexedPath,
  MAX_INDEXED_LENGTH,
  type Leaves,
  type PayloadLeaves,
} from './leaves/index-leaves.js';
export { ROW_LAYOUT, VERSION_COLUMNS } from './layout/row-layout.js';
export type { RowLocation, RowVersion } from './layout/row-location.js';
export { FIRST_START, LAST_START, sameSortKey, startAt, startHour } from './layout/start-hour.js';
export { EventRowCodec, type RowPart, type RowTarget, type RowTargets } from './codec/event-row-codec.js';
export {
  decodeEventRow,
  decodeEventRowPart,
  encodeEventRow,
  encodeEventRowSteps,
  EVENT_ROWS,
  parentOfRow,
  sessionOfRow,
} from './codec/event-row.js';
export {
  decodeNarrowRow,
  decodePayload,
  encodeNarrowRow,
  payloadOfRow,
  payloadSpans,
  type PayloadSpan,
  type RowPayload,
} from './codec/payload-of-row.js';
export { mapJsonTokens, writeHugeIntegersAsFloats } from './fast/repair-json.js';
export { rowFromJson } from './codec/row-from-json.js';
export { RowReader } from './codec/row-reader.js';
