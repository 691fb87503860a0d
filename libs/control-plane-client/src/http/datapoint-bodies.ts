import { AppError, unavailable, validationError } from '@assay/errors';
import { isJsonObject, type JsonObject } from '@assay/domain';
import type { DatapointTarget, EventDatapoint } from '../control-plane.js';
import { readActingKey } from './acting-key-body.js';
import { truncateTexts } from './cut-texts.js';

/** The largest body of datapoints, and so about the largest datapoint that can be sent. */
export const MAX_DATAPOINTS_BYTES = 32 * 1024 * 1024;
const MAX_DATAPOINTS = 1_000;

/**
 * The bodies `{projectId, datasetId, by, datapoints}` that carry the datapoints, in order; one without any when there are none.
 * @throws AppError `PAYLOAD_TOO_LARGE`
 */
export function encodeDatapoints(
  { projectId, datasetId, by }: DatapointTarget,
  datapoints: readonly EventDatapoint[],
): string[] {
  const texts = datapoints.map((datapoint) => JSON.stringify(datapoint));
  if (texts.some((text) => Buffer.byteLength(text) > MAX_DATAPOINTS_BYTES - 1_000)) {
    throw new AppError('PAYLOAD_TOO_LARGE', 'the datapoint is too large to be sent');
  }
  const target = JSON.stringify({ projectId, datasetId, by }).slice(0, -1);
  const groups = texts.length === 0 ? [[]] : truncateTexts(texts);
  return groups.map((group) => `${target},"datapoints":[${group.join(',')}]}`);
}

/** Reads what {@link encodeDatapoints} wrote. @throws AppError `VALIDATION_ERROR` for anything else */
export function readDatapoints(body: unknown): { target: DatapointTarget; datapoints: EventDatapoint[] } {
  const { projectId, datasetId, datapoints } = isJsonObject(body) ? body : {};
  const isTarget =
    typeof projectId === 'string' && (datasetId === undefined || typeof datasetId === 'string');
  if (!isTarget) throw validationError('body must be an object with projectId, a string');
  if (!Array.isArray(datapoints) || datapoints.length > MAX_DATAPOINTS) {
    throw validationError(`body must be an object with datapoints, at most ${MAX_DATAPOINTS}`);
  }
  const target = { projectId, datasetId, by: readActingKey(body) };
  return { target, datapoints: datapoints.map((item, index) => readDatapoint(item, `datapoints[${index}]`)) };
}

/** Reads an answer: `{created}`. @throws AppError `UNAVAILABLE` for one of another shape */
export function readCreated(answer: unknown): boolean {
  const created = isJsonObject(answer) ? answer.created : undefined;
  if (typeof created !== 'boolean')
    throw unavailable('the control plane has not answered whether it keeps the datapoints');
  return created;
}

function readDatapoint(item: unknown, at: string): EventDatapoint {
  if (!isJsonObject(item)) throw validationError(`${at} must be an object`);
  const { id, inputs, history, ground_truth, metadata, linked_event } = item;
  if (typeof id !== 'string' || id === '') throw validationError(`${at}.id must be a string`);
  if (!isJsonObject(inputs)) throw validationError(`${at}.inputs must be an object`);
  if (!Array.isArray(history) || !history.every(isJsonObject))
    throw validationError(`${at}.history must be a list of objects`);
  if (!isObjectOrNull(ground_truth)) throw validationError(`${at}.ground_truth must be an object or null`);
  if (!isObjectOrNull(metadata)) throw validationError(`${at}.metadata must be an object or null`);
  if (typeof linked_event !== 'string') throw validationError(`${at}.linked_event must be a string`);
  return { id, inputs, history, ground_truth, metadata, linked_event };
}

function isObjectOrNull(value: unknown): value is JsonObject | null {
  return value === null || isJsonObject(value);
}
