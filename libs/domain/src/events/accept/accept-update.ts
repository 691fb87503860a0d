import type { JsonValue } from '../../json.js';
import type { EventPatch, UpdateInput } from '../event.js';
import { EVENT_SHAPE, type EventShape } from '../event-shape.js';
import { cleanFields, needsCleaning } from './clean-text.js';
import { readSentValue } from './read-sent-value.js';
import { moveGroundTruth } from './sent-buckets.js';

/**
 * Returns the patch of an update. Outputs of null keep the stored outputs; values other than objects are
 * wrapped. An empty list of children has no effect.
 * @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`
 */
export function acceptUpdate(input: UpdateInput, shape: EventShape = EVENT_SHAPE): EventPatch {
  const patch = moveGroundTruth(readPatch(input, shape));
  return needsCleaning(patch, 'the update') ? cleanFields(patch, '', shape) : patch;
}

function readPatch(input: UpdateInput, shape: EventShape): EventPatch {
  const sent: Readonly<Record<string, JsonValue | readonly string[] | undefined>> = input;
  const patch: Record<string, JsonValue> = {};
  for (const field of shape.fields) {
    const value = field.updatable ? sent[field.name] : undefined;
    if (value === undefined || value === null || (Array.isArray(value) && isEmptyList(field.type, value)))
      continue;
    patch[field.name] = readSentValue(field, value, '');
  }
  return patch;
}

function isEmptyList(type: string, value: readonly unknown[]): boolean {
  return type === 'textList' && value.length === 0;
}
