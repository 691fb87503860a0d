import type { Event, ListedKeys } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import { EventRowCodec, type RowPart } from './event-row-codec.js';
import { RowReader } from './row-reader.js';

const UUID_BYTES = 16;
const UUID = /^[0-9a-f-]{36}$/;

/** The codec of the declared event. */
export const EVENT_ROWS = new EventRowCodec();

/** See {@link EventRowCodec.encode}. */
export function encodeEventRow(event: Event): Buffer {
  return EVENT_ROWS.encode(event);
}

/** See {@link EventRowCodec.encodeSteps}. */
export function encodeEventRowSteps(event: Event, listed?: ListedKeys): Steps<Buffer> {
  return EVENT_ROWS.encodeSteps(event, listed);
}

/** See {@link EventRowCodec.decode}. */
export function decodeEventRow(row: Buffer): Event {
  return EVENT_ROWS.decode(row);
}

/** See {@link EventRowCodec.decodePart}. */
export function decodeEventRowPart(row: Buffer, part: RowPart): Event {
  return EVENT_ROWS.decodePart(row, part);
}

/** Id of the session of a row made by `encodeEventRow`, read at its offset. */
export function sessionOfRow(row: Buffer): string {
  const reader = new RowReader(row);
  reader.skip(UUID_BYTES);
  return reader.uuid();
}

/**
 * Id of the parent of a row made by `encodeEventRow`, read at its offset; undefined when it has none, or one
 * that is not a lower-case UUID.
 */
export function parentOfRow(row: Buffer): string | undefined {
  const reader = new RowReader(row);
  reader.skip(EVENT_ROWS.layout.fixedBytes);
  reader.skipText();
  const id = reader.nullableText();
  return id !== null && UUID.test(id) ? id : undefined;
}
