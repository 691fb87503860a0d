import type { JsonObject, JsonValue } from '../../json.js';
import { canonicalId, cleanBuckets } from './accept-event.js';
import { checkFinite, checkTime } from '../time/check-times.js';
import { cleanString, needsCleaning } from './clean-text.js';
import { MERGED_BUCKETS, type EventPatch } from '../event.js';
import { moveGroundTruth, wrapOutputs } from './sent-buckets.js';

/** An update as a client sends it, checked for shape. Names that are not listed have no effect. */
export interface UpdateInput {
  readonly metadata?: JsonObject;
  readonly feedback?: JsonObject;
  readonly metrics?: JsonObject;
  readonly config?: JsonObject;
  readonly user_properties?: JsonObject;
  readonly outputs?: JsonValue;
  readonly duration?: number;
  readonly end_time?: number;
  readonly children_ids?: readonly string[];
}

/**
 * What an update sets. Outputs of null keep those that are stored, other values than objects are wrapped; an empty list of children
 * is no update.
 * @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`
 */
export function acceptUpdate(input: UpdateInput): EventPatch {
  const patch = moveGroundTruth(readPatch(input));
  return needsCleaning(patch, 'the update') ? cleanPatch(patch) : patch;
}

function readPatch(input: UpdateInput): EventPatch {
  const patch: EventPatch = {};
  for (const name of MERGED_BUCKETS) {
    const bucket = input[name];
    if (bucket !== undefined) patch[name] = bucket;
  }
  if (input.outputs !== undefined && input.outputs !== null) patch.outputs = wrapOutputs(input.outputs);
  if (input.duration !== undefined) patch.duration = checkFinite(input.duration, 'duration');
  if (input.end_time !== undefined) patch.end_time = checkTime(input.end_time, 'end_time');
  if (input.children_ids !== undefined && input.children_ids.length > 0)
    patch.children_ids = input.children_ids.map(canonicalId);
  return patch;
}

function cleanPatch(patch: EventPatch): EventPatch {
  const children = patch.children_ids?.map(cleanString);
  return {
    ...patch,
    ...cleanBuckets(patch, ''),
    ...(children === undefined ? {} : { children_ids: children }),
  };
}
