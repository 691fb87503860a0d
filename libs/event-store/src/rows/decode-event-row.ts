import type { Event, EventOrigin, EventType, JsonObject } from '@assay/domain';
import { validationError } from '@assay/errors';
import { RowReader } from './row-reader.js';

/**
 * The event of a row made by `encodeEventRow`.
 * @throws AppError `VALIDATION_ERROR` when the bytes are none
 */
export function decodeEventRow(row: Buffer): Event {
  const from = new RowReader(row);
  // In the order of `ROW_COLUMNS`.
  const event_id = from.uuid();
  const session_id = from.uuid();
  const start_time = from.float64();
  from.skip(DERIVED_BYTES);
  const project_id = from.text();
  const parent_id = from.nullableText();
  const children_ids = Array.from({ length: from.varint() }, () => from.text());
  const event_type = from.text() as EventType;
  const event_name = from.text();
  const source = from.text();
  const end_time = from.nullableFloat64();
  const duration = from.nullableFloat64();
  const error = from.nullableText();
  const [inputs, outputs, config] = [objectOf(from), objectOf(from), objectOf(from)];
  const [metadata, metrics, feedback, user_properties] = [
    objectOf(from),
    objectOf(from),
    objectOf(from),
    objectOf(from),
  ];
  const origin = from.text() as EventOrigin;
  return {
    project_id,
    event_id,
    session_id,
    parent_id,
    children_ids,
    event_type,
    event_name,
    source,
    start_time,
    end_time,
    duration,
    error,
    inputs,
    outputs,
    config,
    metadata,
    metrics,
    feedback,
    user_properties,
    origin,
  };
}

/** `start_at`, `start_hour` and `complete`. */
const DERIVED_BYTES = 8 + 4 + 1;

function objectOf(from: RowReader): JsonObject {
  try {
    return JSON.parse(from.text()) as JsonObject;
  } catch (error) {
    throw validationError('the row of an event holds text that is no JSON', { cause: error });
  }
}
