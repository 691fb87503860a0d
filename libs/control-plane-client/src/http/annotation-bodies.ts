import { unavailable, validationError } from '@assay/errors';
import { isJsonObject, RETURN_TYPES, type JsonValue, type ScoreRule } from '@assay/domain';
import type { AnnotationQuestion, QueueEntry, QueueEventName, QueueCompletion } from '../control-plane.js';
import { readActingKey } from './acting-key-body.js';
import { isQueueEntry, readQueueName } from './queue-bodies.js';

const MAX_NAMES = 1_000;

/** Reads a question as it was sent. @throws AppError `VALIDATION_ERROR` */
export function readAnnotationQuestion(body: unknown): AnnotationQuestion {
  const names = isJsonObject(body) ? body.names : undefined;
  if (!Array.isArray(names) || names.length > MAX_NAMES || !names.every((name) => typeof name === 'string')) {
    throw validationError(`body must be an object with names, at most ${MAX_NAMES} strings`);
  }
  return { ...readQueueEventName(body), names };
}

/** @throws AppError `VALIDATION_ERROR` */
export function readQueueMark(body: unknown): QueueCompletion {
  const done = isJsonObject(body) ? body.done : undefined;
  if (typeof done !== 'boolean') throw validationError('body must be an object with done, true or false');
  return { ...readQueueEventName(body), done, by: readActingKey(body) };
}

function readQueueEventName(body: unknown): QueueEventName {
  const eventId = isJsonObject(body) ? body.eventId : undefined;
  if (typeof eventId !== 'string') throw validationError('body must be an object with eventId, a string');
  return { ...readQueueName(body), eventId };
}

/** Reads an answer: `{metrics}`, null when the event is not in the queue. @throws AppError `UNAVAILABLE` for one of another shape */
export function readAnnotationMetrics(answer: unknown): readonly ScoreRule[] | undefined {
  const metrics = isJsonObject(answer) ? answer.metrics : undefined;
  if (metrics === null) return undefined;
  if (!areMetrics(metrics)) throw unavailable('the control plane has answered something else than metrics');
  return metrics;
}

/** Reads an answer: `{entry}`, null when the event is not in the queue. @throws AppError `UNAVAILABLE` for one of another shape */
export function readMarked(answer: unknown): QueueEntry | undefined {
  const entry = isJsonObject(answer) ? answer.entry : undefined;
  if (entry === null) return undefined;
  if (!isQueueEntry(entry))
    throw unavailable('the control plane has answered something else than an event of a queue');
  return entry;
}

function areMetrics(value: unknown): value is readonly ScoreRule[] {
  return Array.isArray(value) && value.every(isMetric);
}

function isMetric(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { name, return_type, scale = null, categories = null } = value;
  const isTyped = typeof name === 'string' && RETURN_TYPES.some((type) => type === return_type);
  return (
    isTyped &&
    (scale === null || typeof scale === 'number') &&
    (categories === null || areCategories(categories))
  );
}

function areCategories(value: JsonValue): boolean {
  return (
    Array.isArray(value) && value.every((item) => isJsonObject(item) && typeof item.category === 'string')
  );
}
