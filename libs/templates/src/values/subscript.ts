import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { charactersOf } from './code-points.js';
import { numericOf, stringOf } from './compare.js';
import {
  Callable,
  Dict,
  List,
  Markup,
  Namespace,
  Tuple,
  Undefined,
  View,
  isTemplateObject,
  orElse,
  refuseUndefined,
  typeName,
  type Value,
} from './value.js';

/** Returns `value.name`: an own key, an attribute of a closed table, or undefined. Nothing is inherited. */
export function attributeOf(value: Value, name: string): Value {
  refuseUndefined(value);
  return orElse(ownAttribute(value, name), () => missing(value, `attribute '${name}'`));
}

function ownAttribute(value: Value, name: string): Value | undefined {
  if (value instanceof Dict) return value.get(name);
  if (value instanceof Namespace) return value.attributes.get(name);
  if (value instanceof Callable) return value.attribute(name);
  if (value instanceof Tuple) return value.items[value.names.indexOf(name)];
  if (typeof value === 'object' && value !== null && isTemplateObject(value)) return value.attribute(name);
  return undefined;
}

function missing(value: Value, what: string): Undefined {
  return new Undefined(`the ${what} of a value of type '${typeName(value)}'`);
}

/** Returns `value[index]`. A key or position that does not exist is undefined. */
export function itemOf(value: Value, index: Value, budget: Budget): Value {
  refuseUndefined(value);
  if (index instanceof Undefined) return missing(value, 'item');
  if (value instanceof Dict) return dictItem(value, index);
  const position = positionOf(index);
  if (position === undefined) {
    const name = stringOf(index);
    const found = name === undefined ? undefined : ownAttribute(value, name);
    return orElse(found, () => missing(value, 'item'));
  }
  const items = sequenceOf(value, budget);
  const found = items?.[position < 0 ? items.length + position : position];
  return orElse(found, () => missing(value, 'item'));
}

function dictItem(dict: Dict, index: Value): Value {
  const isKey = !(index instanceof List || index instanceof Dict);
  return orElse(isKey ? dict.get(index) : undefined, () => missing(dict, 'item'));
}

function positionOf(index: Value): number | undefined {
  const number = numericOf(index);
  return typeof number === 'bigint' ? Number(number) : undefined;
}

function sequenceOf(value: Value, budget: Budget): readonly Value[] | undefined {
  const text = stringOf(value);
  if (text !== undefined) {
    budget.scan(text.length);
    return charactersOf(text);
  }
  if (value instanceof List || value instanceof Tuple) return value.items;
  return value instanceof View && value.type === 'range' ? value.items : undefined;
}

export interface SliceBounds {
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
}

/** Returns `value[start:stop:step]`. */
export function sliceOf(value: Value, bounds: SliceBounds, budget: Budget): Value {
  refuseUndefined(value);
  const items = sequenceOf(value, budget);
  if (items === undefined) return missing(value, 'slice');
  const chosen = pick(items, bounds);
  if (value instanceof List || value instanceof View) {
    budget.items(chosen.length);
    return new List(chosen);
  }
  if (value instanceof Tuple) return new Tuple(chosen);
  budget.text(chosen.length);
  const text = (chosen as string[]).join('');
  return value instanceof Markup ? new Markup(text) : text;
}

/** Source: `PySlice_AdjustIndices` of CPython. */
function pick(items: readonly Value[], bounds: SliceBounds): Value[] {
  const step = bound(bounds.step) ?? 1;
  if (step === 0) throw new TemplateError('the step of a slice is zero');
  const { length } = items;
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (position: number) =>
    Math.min(Math.max(position < 0 ? position + length : position, low), high);
  const start = bound(bounds.start);
  const stop = bound(bounds.stop);
  const first = start === undefined ? (step > 0 ? low : high) : clamp(start);
  const last = stop === undefined ? (step > 0 ? high : low) : clamp(stop);
  if (step === 1) return items.slice(first, Math.max(first, last));
  const chosen: Value[] = [];
  for (let index = first; step > 0 ? index < last : index > last; index += step)
    chosen.push(items[index] as Value);
  return chosen;
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined;
  const position = positionOf(value);
  if (position === undefined) throw new TemplateError(`the bound of a slice is of type '${typeName(value)}'`);
  return Math.min(Math.max(position, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
