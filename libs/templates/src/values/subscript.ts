import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { charactersOf, isPlain } from './code-points.js';
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
export function attributeOf(value: Value, name: string, budget: Budget): Value {
  refuseUndefined(value);
  return orElse(ownAttribute(value, name, budget), () => missing(value, `attribute '${name}'`));
}

function ownAttribute(value: Value, name: string, budget: Budget): Value | undefined {
  if (value instanceof Dict) return value.get(name, budget);
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
  if (value instanceof Dict) return dictItem(value, index, budget);
  const position = positionOf(index);
  if (position === undefined) {
    const name = stringOf(index);
    const found = name === undefined ? undefined : ownAttribute(value, name, budget);
    return orElse(found, () => missing(value, 'item'));
  }
  const items = sequenceOf(value, budget);
  const found = items?.[position < 0 ? items.length + position : position];
  return orElse(found, () => missing(value, 'item'));
}

function dictItem(dict: Dict, index: Value, budget: Budget): Value {
  const isKey = !(index instanceof List || index instanceof Dict);
  return orElse(isKey ? dict.get(index, budget) : undefined, () => missing(dict, 'item'));
}

function positionOf(index: Value): number | undefined {
  const number = numericOf(index);
  return typeof number === 'bigint' ? Number(number) : undefined;
}

function sequenceOf(value: Value, budget: Budget): ArrayLike<Value> | undefined {
  const text = stringOf(value);
  if (text !== undefined) return characters(text, budget);
  if (value instanceof List || value instanceof Tuple) return value.items;
  return value instanceof View && value.type === 'range' ? value.items : undefined;
}

/** Characters of a text; the text itself when every unit is one, so that an item of a long text costs little. */
function characters(text: string, budget: Budget): ArrayLike<string> {
  budget.scan(text.length);
  if (isPlain(text)) return text;
  budget.text(text.length);
  return charactersOf(text);
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
  if (items === undefined) throw new TemplateError(`a value of type '${typeName(value)}' has no slices`);
  const text = stringOf(value);
  if (text !== undefined) return sliceCharacters(value, items, { bounds, budget });
  const chosen = pick(items, bounds, budget);
  return value instanceof Tuple ? new Tuple(chosen) : new List(chosen);
}

function sliceCharacters(
  value: Value,
  items: ArrayLike<Value>,
  { bounds, budget }: { readonly bounds: SliceBounds; readonly budget: Budget },
): Value {
  const { first, last, step } = adjust(items.length, bounds);
  const text =
    typeof items === 'string' && step === 1
      ? items.slice(first, Math.max(first, last))
      : (pick(items, bounds, budget) as string[]).join('');
  budget.text(text.length);
  return value instanceof Markup ? new Markup(text) : text;
}

/** Source: `PySlice_AdjustIndices` of CPython. */
function adjust(length: number, bounds: SliceBounds): { first: number; last: number; step: number } {
  const step = bound(bounds.step) ?? 1;
  if (step === 0) throw new TemplateError('the step of a slice is zero');
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (position: number) =>
    Math.min(Math.max(position < 0 ? position + length : position, low), high);
  const start = bound(bounds.start);
  const stop = bound(bounds.stop);
  const first = start === undefined ? (step > 0 ? low : high) : clamp(start);
  const last = stop === undefined ? (step > 0 ? high : low) : clamp(stop);
  return { first, last, step };
}

function pick(items: ArrayLike<Value>, bounds: SliceBounds, budget: Budget): Value[] {
  const { first, last, step } = adjust(items.length, bounds);
  budget.items(Math.max(0, Math.ceil((last - first) / step)));
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
