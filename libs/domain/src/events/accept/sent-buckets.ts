import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';

/**
 * Returns outputs as an object: absent outputs are empty, and an array or a scalar is wrapped under `value`.
 */
export function wrapOutputs(outputs: JsonValue | undefined): JsonObject {
  if (outputs === undefined || outputs === null) return {};
  return isJsonObject(outputs) ? outputs : { value: outputs };
}

/** Metadata and feedback of an event or an update. */
interface Annotations {
  metadata?: JsonObject;
  feedback?: JsonObject;
}

/**
 * Moves a ground truth that was sent as `metadata.ground_truth` to `feedback.ground_truth`, which evaluators
 * read. If the feedback already has one, both are unchanged.
 */
export function moveGroundTruth<T extends Annotations>(sent: T): T {
  const truth = ownValue(sent.metadata, 'ground_truth');
  if (sent.metadata === undefined || isMissing(truth) || !isMissing(ownValue(sent.feedback, 'ground_truth')))
    return sent;
  const { ground_truth: moved = null, ...metadata } = sent.metadata;
  return { ...sent, metadata, feedback: { ...sent.feedback, ground_truth: moved } };
}

/** Adds `total_tokens` if only the prompt and completion tokens were sent. */
export function withTotalTokens(metadata: JsonObject): JsonObject {
  const prompt = ownValue(metadata, 'prompt_tokens');
  const completion = ownValue(metadata, 'completion_tokens');
  if (typeof prompt !== 'number' || typeof completion !== 'number') return metadata;
  if (ownValue(metadata, 'total_tokens') !== undefined) return metadata;
  return { ...metadata, total_tokens: prompt + completion };
}

function ownValue(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
