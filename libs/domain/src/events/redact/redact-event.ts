import { validationError } from '@assay/errors';
import { setOwn, type JsonObject, type JsonValue } from '../../json.js';
import type { TextShape } from '../event-field.js';
import { eventFrom, type Event } from '../event.js';
import { EVENT_SHAPE, type EventShape, type FieldName } from '../event-shape.js';
import { emptiedLeaf, type PathRules } from './path-rules.js';
import { NAME_FIELDS, type Redaction } from './redaction.js';
import { hasShape } from './text-shape.js';

declare const redacted: unique symbol;

/**
 * An event that may leave the data plane. Only {@link redactEvent} returns one, so code that takes this type
 * cannot receive an event that was not redacted.
 */
export type RedactedEvent = Event & { readonly [redacted]: true };

/** Accepted events are nested less deep than this. Deeper values are rejected. */
const MAX_LEVELS = 128;

/**
 * Returns the event as it may leave the data plane: a closed list of fields, in which values of inputs and
 * outputs, and text that the allow list does not contain, are replaced by the empty value of their type. Keys
 * and array lengths stay, so that presence filters still work. The list of fields is the same without
 * redaction.
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

/** Returns whether a text that names a resource may leave the data plane: with redaction only an id. */
export function mayLeaveAsId(text: string, { allowList }: Redaction): boolean {
  return !allowList || hasShape(text, 'id');
}

function redactFields(event: Event, { rules, allowList }: Redaction, shape: EventShape): RedactedEvent {
  const redacted = eventFrom(shape, ({ name, leaves }) => {
    const fieldRules = rules.get(name);
    if (fieldRules) return redactField(event[name], fieldRules);
    if (!allowList || !leaves) return event[name];
    const value = ofShape(event[name], leaves);
    const tokenOf = isName(name) ? allowList.forms.nameToken : undefined;
    return tokenOf && typeof value === 'string' ? tokenOf(value) : value;
  });
  return redacted as RedactedEvent;
}

function isName(field: FieldName): boolean {
  return NAME_FIELDS.some((name) => name === field);
}

/** Empties the texts of a field, or of a list, that do not have the shape. */
function ofShape(value: JsonValue, shape: TextShape): JsonValue {
  if (Array.isArray(value)) return value.map((item) => ofShape(item, shape));
  return typeof value !== 'string' || hasShape(value, shape) ? value : '';
}

function redactField(value: JsonValue, rules: PathRules): JsonValue {
  return rules.emptiesAll ? emptied(value, 0, rules) : redactAt(value, rules, 0);
}

function redactAt(value: JsonValue, rules: PathRules, level: number): JsonValue {
  if (typeof value !== 'object' || value === null) return rules.leaf(value);
  checkLevel(level);
  if (Array.isArray(value)) return value.map((item) => redactAt(item, rules, level + 1));
  const redacted: JsonObject = {};
  Object.keys(value).forEach((key, position) => {
    const item = redactAt(value[key] as JsonValue, rules.at(key), level + 1);
    setOwn(redacted, rules.keyOf(key, position), item);
  });
  return redacted;
}

/**
 * Returns the value with every text empty, every number 0 and every boolean false; null, keys and array
 * lengths stay. Idempotent.
 * @param rules decide about keys; absent: all stay
 * @throws AppError `VALIDATION_ERROR` for a value that is nested deeper than 128 levels
 */
export function emptied(value: JsonValue, level = 0, rules?: Pick<PathRules, 'keyOf'>): JsonValue {
  if (typeof value !== 'object' || value === null) return emptiedLeaf(value);
  checkLevel(level);
  if (Array.isArray(value)) return value.map((item) => emptied(item, level + 1, rules));
  const structure: JsonObject = {};
  Object.keys(value).forEach((key, position) => {
    const item = emptied(value[key] as JsonValue, level + 1, rules);
    setOwn(structure, rules?.keyOf(key, position) ?? key, item);
  });
  return structure;
}

function checkLevel(level: number): void {
  if (level > MAX_LEVELS) throw validationError(`a value is nested deeper than ${MAX_LEVELS} levels`);
}

/**
 * Returns whether numbers of a field, such as `metadata.cost`, leave the data plane unchanged. False for a path in brackets to a field
 * with rules.
 */
export function mayLeaveAsNumber(field: string, { rules }: Redaction): boolean {
  const [root = '', ...keys] = field.split('.');
  const name = /^[^[]*/.exec(root)?.[0];
  const fieldRules = [...rules].find(([ruled]) => ruled === name)?.[1];
  if (fieldRules === undefined) return true;
  if (field.includes('[')) return false;
  return keys.reduce((at, key) => at.at(key), fieldRules).leaf(NUMBER) === NUMBER;
}

const NUMBER = 1.5;
