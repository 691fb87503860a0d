import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { eventFrom, type Event } from '../event.js';
import { EVENT_SHAPE, type EventShape } from '../event-shape.js';
import type { FieldRules, RedactableField, Redaction } from './redaction.js';

declare const redacted: unique symbol;

/**
 * An event that may leave the data plane. Only {@link redactEvent} returns one, so code that takes this type
 * cannot receive an event that was not redacted.
 */
export type RedactedEvent = Event & { readonly [redacted]: true };

/** Accepted events are nested less deep than this. Deeper values are rejected. */
const MAX_LEVELS = 128;

/**
 * Returns the event as it may leave the data plane: a closed list of fields, in which every value of a
 * redacted field is replaced by the empty value of its type. Keys and array lengths stay, so that presence
 * filters still work. The list of fields is the same without redaction.
 * @throws AppError `VALIDATION_ERROR` if the event cannot be redacted and must not leave
 */
export function redactEvent(
  event: Event,
  redaction: Redaction,
  shape: EventShape = EVENT_SHAPE,
): RedactedEvent {
  try {
    return redactFields(event, redaction, shape);
  } catch (cause) {
    throw validationError('the event cannot be redacted', { cause });
  }
}

function redactFields(event: Event, { rules }: Redaction, shape: EventShape): RedactedEvent {
  const redacted = eventFrom(shape, ({ name, redactable }) =>
    redactable ? redactField(event[name], name, rules.get(name as RedactableField)) : event[name],
  );
  return redacted as RedactedEvent;
}

function redactField(value: JsonValue, name: string, rules: FieldRules | undefined): JsonValue {
  if (!rules) return value;
  return rules.redactsAll(name) ? emptied(value) : redactAt(value, name, rules, 0);
}

function redactAt(value: JsonValue, path: string, rules: FieldRules, level: number): JsonValue {
  checkLevel(level);
  if (Array.isArray(value)) return value.map((item) => redactAt(item, path, rules, level + 1));
  if (isJsonObject(value))
    return mapValues(value, (item, key) => redactAt(item, `${path}.${key}`, rules, level + 1));
  return rules.redacts(path) ? emptied(value) : value;
}

/**
 * Returns the value with every text empty, every number 0 and every boolean false; null, keys and array
 * lengths stay. Idempotent.
 * @throws AppError `VALIDATION_ERROR` for a value that is nested deeper than 128 levels
 */
export function emptied(value: JsonValue, level = 0): JsonValue {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  checkLevel(level);
  if (Array.isArray(value)) return value.map((item) => emptied(item, level + 1));
  return isJsonObject(value) ? mapValues(value, (item) => emptied(item, level + 1)) : null;
}

/** Creates own properties for all keys, including `__proto__`. */
function mapValues(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function checkLevel(level: number): void {
  if (level > MAX_LEVELS) throw validationError(`a value is nested deeper than ${MAX_LEVELS} levels`);
}
