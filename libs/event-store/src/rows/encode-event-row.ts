import type { Event, JsonObject } from '@assay/domain';
import { indexLeaves, type Leaves } from './index-leaves.js';
import { repairEscapes, writeHugeIntegersAsFloats } from './repair-json.js';
import { RowWriter } from './row-writer.js';
import { startAt, startHour } from './start-hour.js';

const writer = new RowWriter();

/**
 * The row of an event: the values of `ROW_COLUMNS`, as the engine reads them in RowBinary. It holds the fields of the event, the open
 * objects as JSON text, and what is derived from them: the place in the sort order, and for the index `attrs`, `nums`, `complete`, `run_id`, `datapoint_id`.
 * The store keeps the text of the open objects as it stands here, so what a client sent comes back unchanged, but for NUL and
 * unpaired surrogates in strings, which no text column holds: they become U+FFFD.
 *
 * The bytes are a view of memory that other rows share: whoever keeps them for long copies them.
 * @throws AppError `VALIDATION_ERROR` when the event or its session has no UUID
 */
export function encodeEventRow(event: Event): Buffer {
  const leaves = indexLeaves(event);
  const text = leaves.hasHugeInteger ? jsonWithFloats : jsonOf;
  // In the order of `ROW_COLUMNS`.
  writer.begin();
  writer.uuid(event.event_id, 'event_id');
  writer.uuid(event.session_id, 'session_id');
  writer.float64(event.start_time);
  writer.uint64(startAt(event.start_time));
  writer.uint32(startHour(event.start_time));
  writer.uint8(leaves.complete ? 1 : 0);
  writer.text(event.project_id);
  writer.nullableText(event.parent_id);
  writer.varint(event.children_ids.length);
  for (const child of event.children_ids) writer.text(child);
  writer.text(event.event_type);
  writer.text(event.event_name);
  writer.text(event.source);
  writer.nullableFloat64(event.end_time);
  writer.nullableFloat64(event.duration);
  writer.nullableText(event.error);
  writer.text(text(event.inputs));
  writer.text(text(event.outputs));
  writer.text(text(event.config));
  writer.text(text(event.metadata));
  writer.text(text(event.metrics));
  writer.text(text(event.feedback));
  writer.text(text(event.user_properties));
  writer.text(event.origin);
  writeLeaves(leaves.attrs, (value) => writer.text(value));
  writeLeaves(leaves.nums, (value) => writer.float64(value));
  writer.text(textOf(event.metadata['run_id']));
  writer.text(textOf(event.metadata['datapoint_id']));
  return writer.take();
}

function writeLeaves<Value>({ paths, values }: Leaves<Value>, write: (value: Value) => void): void {
  writer.varint(paths.length);
  values.forEach((value, index) => {
    writer.text(paths[index] ?? '');
    write(value);
  });
}

function jsonOf(object: JsonObject): string {
  return repairEscapes(JSON.stringify(object));
}

function jsonWithFloats(object: JsonObject): string {
  return writeHugeIntegersAsFloats(jsonOf(object));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
