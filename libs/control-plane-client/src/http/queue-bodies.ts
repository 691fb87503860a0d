import { unavailable, validationError } from '@assay/errors';
import { FILTER_OPERATORS, FILTER_TYPES, isJsonObject, type Filter, type JsonValue } from '@assay/domain';
import type { QueueEntry, QueueEntryPage, QueueEntryQuery, QueueName } from '../control-plane.js';

const MAX_LIMIT = 1_000;

/** Reads a query as it was sent. @throws AppError `VALIDATION_ERROR` */
export function readEntryQuery(body: unknown): QueueEntryQuery {
  const { isDone, limit, offset } = isJsonObject(body) ? body : {};
  const isRange = isWholeTo(limit, MAX_LIMIT) && limit > 0 && isWholeTo(offset, Number.MAX_SAFE_INTEGER);
  if (!isRange) throw validationError('body must be an object with limit and offset');
  return { ...readQueueName(body), limit, offset, ...(typeof isDone === 'boolean' && { isDone }) };
}

/** @throws AppError `VALIDATION_ERROR` */
export function readQueueName(body: unknown): QueueName {
  const { projectId, queueId } = isJsonObject(body) ? body : {};
  if (typeof projectId === 'string' && typeof queueId === 'string') return { projectId, queueId };
  throw validationError('body must be an object with projectId and queueId, strings');
}

/** @throws AppError `VALIDATION_ERROR` */
export function readEventIds(body: unknown): string[] {
  const ids = isJsonObject(body) ? body.eventIds : undefined;
  if (Array.isArray(ids) && ids.length <= MAX_LIMIT && ids.every((id) => typeof id === 'string')) return ids;
  throw validationError('body must be an object with eventIds, at most 1000 strings');
}

/** Reads an answer: `{filters}`, null when there is no such queue. @throws AppError `UNAVAILABLE` for one of another shape */
export function readFilters(answer: unknown): readonly Filter[] | undefined {
  const filters = isJsonObject(answer) ? answer.filters : undefined;
  if (filters === null) return undefined;
  if (!areFilters(filters)) throw unavailable('the control plane has answered something else than filters');
  return filters;
}

/** Reads an answer: `{added}`. @throws AppError `UNAVAILABLE` for one of another shape */
export function readAdded(answer: unknown): boolean {
  const added = isJsonObject(answer) ? answer.added : undefined;
  if (typeof added !== 'boolean')
    throw unavailable('the control plane has not answered whether it added events to a queue');
  return added;
}

/** Reads an answer: `{page}` of at most `limit` events, null when there is no such queue. @throws AppError `UNAVAILABLE` for one of another shape */
export function readEntryPage(answer: unknown, limit: number): QueueEntryPage | undefined {
  const page = isJsonObject(answer) ? answer.page : undefined;
  if (page === null) return undefined;
  if (!isEntryPage(page) || page.entries.length > limit)
    throw unavailable('the control plane has answered something else than the events of a queue');
  return page;
}

function isEntryPage(value: unknown): value is QueueEntryPage {
  return (
    isJsonObject(value) &&
    isWholeTo(value.total, Number.MAX_SAFE_INTEGER) &&
    Array.isArray(value.entries) &&
    value.entries.every(isQueueEntry)
  );
}

export function isQueueEntry(value: unknown): value is QueueEntry {
  if (!isJsonObject(value)) return false;
  const { eventId, addedAt, done, doneAt } = value;
  return (
    typeof eventId === 'string' &&
    typeof addedAt === 'string' &&
    typeof done === 'boolean' &&
    (doneAt === null || typeof doneAt === 'string')
  );
}

function isWholeTo(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

function areFilters(value: unknown): value is readonly Filter[] {
  return Array.isArray(value) && value.every(isFilter);
}

function isFilter(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { field, operator, type, value: wanted = null } = value;
  const isKnown =
    FILTER_OPERATORS.some((one) => one === operator) && FILTER_TYPES.some((one) => one === type);
  return (
    typeof field === 'string' &&
    isKnown &&
    (Array.isArray(wanted) ? wanted.every(isScalar) : isScalar(wanted))
  );
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}
