import { RowWriter } from './row-writer.js';
import { startAt, startHour } from './start-hour.js';

const writer = new RowWriter();

/** Empty texts from `event_type` to `source`, and from `inputs` to `user_properties`. */
const NAMES = 3;
const OBJECTS = 7;

/** Where a row lies. Times are Unix milliseconds. */
export interface RowPlace {
  readonly projectId: string;
  readonly eventId: string;
  readonly sessionId: string;
  readonly startTime: number;
}

/** A row of the same layout as that of an event, which holds its place in the sort order and nothing else. */
export function encodeTombstone({ projectId, eventId, sessionId, startTime }: RowPlace): Buffer {
  writer.begin();
  writer.uuid(eventId, 'event_id');
  writer.uuid(sessionId, 'session_id');
  writer.float64(startTime);
  writer.uint64(startAt(startTime));
  writer.uint32(startHour(startTime));
  writer.uint8(0);
  writer.text(projectId);
  writer.nullableText(null);
  writer.varint(0);
  writeEmptyTexts(NAMES);
  writer.nullableFloat64(null);
  writer.nullableFloat64(null);
  writer.nullableText(null);
  writeEmptyTexts(OBJECTS);
  writer.text('');
  writer.varint(0);
  writer.varint(0);
  writeEmptyTexts(2);
  return writer.take();
}

function writeEmptyTexts(count: number): void {
  for (let written = 0; written < count; written++) writer.text('');
}
