import type { JsonValue } from '../../json.js';
import type { NamedField } from '../event-shape.js';
import { canonicalId } from '../identity/uuid-text.js';
import { checkFinite, checkTime } from '../time/check-times.js';
import { wrapOutputs } from './sent-buckets.js';

/**
 * Converts the checked value that a client sent for a declared field: ids get their canonical spelling, times
 * are scaled to milliseconds, and fields that accept any JSON value get text or an object.
 * @throws AppError `VALIDATION_ERROR` naming the field behind `path`
 */
export function readSentValue(
  field: NamedField,
  value: JsonValue | readonly string[],
  path: string,
): JsonValue {
  const isNumber = field.type === 'number' || field.type === 'numberOrNull';
  const sent = isNumber && typeof value === 'bigint' ? Number(value) : (value as JsonValue);
  if (isNumber && typeof sent === 'number') {
    const check = field.instant ? checkTime : checkFinite;
    return check(sent, `${path}${field.name}`);
  }
  if (field.isId) return canonicalIds(sent);
  if (!field.acceptsAnyJson) return sent;
  return field.type === 'object' ? wrapOutputs(sent) : textOf(sent);
}

function canonicalIds(value: JsonValue): JsonValue {
  if (typeof value === 'string') return canonicalId(value);
  return Array.isArray(value) ? value.map(canonicalIds) : value;
}

function textOf(value: JsonValue): string | null {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}
