import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';

/** Content of a datapoint. `ground_truth` is the reference value. */
export interface DatapointContent {
  readonly inputs: JsonObject;
  readonly history: JsonObject[];
  readonly ground_truth: JsonObject | null;
  readonly metadata: JsonObject | null;
  readonly linked_event: string | null;
}

/** Which keys of an object go to which part of a datapoint. */
export interface DatapointMapping {
  readonly inputs?: readonly string[];
  readonly history?: readonly string[];
  readonly ground_truth?: readonly string[];
}

/** Returns the datapoint of a client's request. */
export function newDatapoint(sent: Partial<DatapointContent>): DatapointContent {
  const { inputs = {}, history = [], ground_truth = null, metadata = null, linked_event = null } = sent;
  return { inputs, history, ground_truth, metadata, linked_event };
}

/**
 * Creates a datapoint from an object: each key is copied to every part for which the mapping names it, and
 * unmapped keys go to the metadata. Keys that the object lacks are omitted.
 * @param path name of the object in errors
 * @throws AppError `VALIDATION_ERROR` if a key of the history is not a list of messages
 */
export function mapDatapoint(object: JsonObject, mapping: DatapointMapping, path: string): DatapointContent {
  const { inputs = [], history = [], ground_truth = [] } = mapping;
  const named = new Set([...inputs, ...history, ...ground_truth]);
  const rest = Object.keys(object).filter((key) => !named.has(key));
  return {
    inputs: pick(object, inputs),
    history: history.flatMap((key) => messagesOf(object, key, path)),
    ground_truth: ground_truth.length === 0 ? null : pick(object, ground_truth),
    metadata: rest.length === 0 ? null : pick(object, rest),
    linked_event: null,
  };
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const wanted = new Set(keys);
  return Object.fromEntries(Object.entries(object).filter(([key]) => wanted.has(key)));
}

function messagesOf(object: JsonObject, key: string, path: string): JsonObject[] {
  const value: JsonValue = (Object.hasOwn(object, key) ? object[key] : undefined) ?? [];
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw validationError(`${path} must have a list of messages where the mapping names a key of the history`);
}
