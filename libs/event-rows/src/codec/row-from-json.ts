import type { Event } from '@assay/domain';
import { validationError } from '@assay/errors';
import { encodeEventRow } from './event-row.js';

/**
 * The row of an event from the form that records of version 1 hold: one JSON object with the fields of the
 * event among others.
 * @throws AppError `VALIDATION_ERROR` when the bytes are none
 */
export function rowFromJson(line: Buffer): Buffer {
  return encodeEventRow(parse(line));
}

function parse(line: Buffer): Event {
  try {
    return JSON.parse(line.toString('utf8')) as Event;
  } catch (error) {
    throw validationError('the row of an event is not JSON', { cause: error });
  }
}
