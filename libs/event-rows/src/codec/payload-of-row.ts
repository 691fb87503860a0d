import { PAYLOAD_FIELDS, type Event } from '@assay/domain';
import type { RowPart } from './event-row-codec.js';
import { EVENT_ROWS } from './event-row.js';
import { isPayloadField, type Leaves, type PayloadLeaves } from '../leaves/index-leaves.js';
import { skipField } from './read-field.js';
import { RowReader } from './row-reader.js';

const PAYLOAD = new Set<string>(PAYLOAD_FIELDS);
const { fixed, variable, added } = EVENT_ROWS.layout;
const PAYLOAD_PART: RowPart = new Map(PAYLOAD_FIELDS.map((name) => [name, 'whole']));
const OTHER_PART: RowPart = new Map(
  [...fixed, ...variable, ...added]
    .filter(({ name }) => !PAYLOAD.has(name))
    .map(({ name }) => [name, 'whole']),
);

/** What a row says of its payload: the values of the fields declared as `payload`. */
export interface RowPayload {
  /** Bytes of its objects as JSON text. */
  readonly bytes: number;
  readonly leaves: PayloadLeaves;
}

/** The event of a row, with empty objects as its payload. @throws AppError as `decodeEventRow` */
export function decodeNarrowRow(row: Buffer): Event {
  const event = EVENT_ROWS.decodePart(row, OTHER_PART);
  for (const name of PAYLOAD_FIELDS) event[name] = {};
  return event;
}

/** The payload of a row. @throws AppError as `decodeEventRow` */
export function decodePayload(row: Buffer): Pick<Event, (typeof PAYLOAD_FIELDS)[number]> {
  const event = EVENT_ROWS.decodePart(row, PAYLOAD_PART);
  return Object.fromEntries(PAYLOAD_FIELDS.map((name) => [name, event[name]])) as ReturnType<
    typeof decodePayload
  >;
}

/**
 * The row of an event whose payload stays as it is stored, for `EventRow.keeps`. The bytes are a view of shared
 * memory, as those of `encodeEventRow`.
 */
export function encodeNarrowRow(event: Event, { leaves }: Pick<RowPayload, 'leaves'>): Buffer {
  return EVENT_ROWS.encodeNarrow(event, leaves);
}

/** Size and indexed leaves of the payload of a row made by `encodeEventRow`, read without parsing its objects. */
export function payloadOfRow(row: Buffer): RowPayload {
  const { fixedBytes } = EVENT_ROWS.layout;
  const reader = new RowReader(row);
  // The last of the derived columns of fixed width.
  reader.skip(fixedBytes - 1);
  const complete = reader.uint8() === 1;
  let bytes = 0;
  for (const field of variable) {
    if (isPayloadField(field.name)) {
      const length = reader.varint();
      reader.skip(length);
      bytes += length;
    } else skipField(field, reader);
  }
  const attrs = readLeaves(reader, () => reader.text());
  return { bytes, leaves: { attrs, nums: readLeaves(reader, () => reader.float64()), complete } };
}

/** Where an object of the payload is in a row: the length of its text begins at `start`, the text at `text`. */
export interface PayloadSpan {
  readonly start: number;
  readonly text: number;
  readonly end: number;
}

/** Finds the objects of the payload in a row. @throws AppError `VALIDATION_ERROR` when the bytes end too early */
export function payloadSpans(row: Buffer): PayloadSpan[] {
  const reader = new RowReader(row);
  reader.skip(EVENT_ROWS.layout.fixedBytes);
  const spans: PayloadSpan[] = [];
  for (const field of variable) {
    const start = reader.offset;
    if (isPayloadField(field.name)) {
      const length = reader.varint();
      const text = reader.offset;
      reader.skip(length);
      spans.push({ start, text, end: reader.offset });
    } else skipField(field, reader);
  }
  return spans;
}

function readLeaves<Value>(reader: RowReader, readValue: () => Value): Leaves<Value> {
  const [paths, values]: [string[], Value[]] = [[], []];
  for (let left = reader.varint(); left > 0; left--) {
    const [path, value] = [reader.text(), readValue()];
    if (!isPayloadPath(path)) continue;
    paths.push(path);
    values.push(value);
  }
  return { paths, values };
}

function isPayloadPath(path: string): boolean {
  return PAYLOAD.has(path.slice(0, path.indexOf('.')));
}
