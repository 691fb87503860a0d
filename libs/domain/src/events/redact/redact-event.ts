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

/**
 * Events are nested less deep than this when they are accepted; what is deeper is refused rather than passed
 * on.
 */
const MAX_LEVELS = 128;

/**
 * The event as it may leave the data plane: a closed list of fields, and in those that the settings name
 * every value replaced by the empty one of its type. Keys and lengths of arrays stay, so that filters on what
 * is there still work. When nothing is to be redacted the list of fields is the same.
 * @throws AppError `VALIDATION_ERROR` when the event cannot be redacted; then nothing of it may leave
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
 * The value with every text empty, every number 0, every boolean false; null, keys and lengths of arrays
 * stay. Applied again it changes nothing.
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

/** Makes own properties of all keys, `__proto__` among them. */
function mapValues(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function checkLevel(level: number): void {
  if (level > MAX_LEVELS) throw validationError(`a value is nested deeper than ${MAX_LEVELS} levels`);
}
