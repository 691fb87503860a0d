import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { formatWithSpec } from '../values/format-spec.js';
import { attributeOf, itemOf } from '../values/subscript.js';
import { represent, textOf } from '../values/text.js';
import type { CallArguments, Value } from '../values/value.js';

const STEP = /\.([^.[]+)|\[([^\]]+)\]/g;

/** Returns `text.format(…)`: replacement fields with attributes, items, conversions and formats. */
export function formatMethod(text: string, args: CallArguments, budget: Budget): Value {
  const counter = { next: 0 };
  const result = expand(text, { args, budget, counter });
  budget.text(result.length);
  return result;
}

interface Fields {
  readonly args: CallArguments;
  readonly budget: Budget;
  /** Number of the next field without a name. */
  readonly counter: { next: number };
}

function expand(text: string, fields: Fields): string {
  fields.budget.text(text.length);
  const parts: string[] = [];
  let start = 0;
  for (let at = nextBrace(text, 0); at < text.length; at = nextBrace(text, start)) {
    parts.push(text.slice(start, at));
    if (text[at + 1] === text[at]) {
      parts.push(text[at] as string);
      start = at + 2;
    } else {
      const field = readField(text, at);
      parts.push(formatField(field, fields));
      start = field.end;
    }
  }
  return parts.join('') + text.slice(start);
}

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') at++;
  return at;
}

/** A replacement field, such as `{user.name!r:>10}`. */
interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly spec: string;
  /** Offset behind its brace. */
  readonly end: number;
}

/** Reads the field at a brace, each character once. @throws TemplateError when it has no end */
function readField(text: string, start: number): Field {
  let at = text[start] === '{' ? endOfName(text, start + 1) : text.length;
  const name = text.slice(start + 1, at);
  const conversion = text[at] === '!' ? text[at + 1] : undefined;
  if (conversion !== undefined) at += 2;
  const specStart = text[at] === ':' ? at + 1 : at;
  if (specStart > at) at = endOfSpec(text, specStart);
  const isField = text[at] === '}' && (conversion === undefined || 'rsa'.includes(conversion));
  if (!isField) throw new TemplateError('a format has a single brace');
  return { name, conversion, spec: text.slice(specStart, at), end: at + 1 };
}

/** Offset of what ends the name of a field. Brackets may contain anything but the closing one. */
function endOfName(text: string, start: number): number {
  let at = start;
  while (at < text.length && !'{}]!:'.includes(text[at] as string)) {
    const end = text[at] === '[' ? text.indexOf(']', at) : at;
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** Offset of the brace that ends a field with a format, which may have fields of its own. */
function endOfSpec(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    if (text[at] === '{' && ++depth > 1) return text.length;
    if (text[at] === '}' && --depth < 0) return at;
  }
  return at;
}

function formatField({ name, conversion, spec }: Field, fields: Fields): string {
  const { budget } = fields;
  budget.step();
  const value = lookUp(name, fields);
  const converted = conversion === undefined ? value : convert(value, conversion, budget);
  const format = spec.includes('{') ? expand(spec, fields) : spec;
  const formatted = formatWithSpec(converted, format, budget);
  budget.text(formatted.length);
  return formatted;
}

function lookUp(field: string, { args, budget, counter }: Fields): Value {
  const first = /^[^.[]*/.exec(field)?.[0] ?? '';
  const name = first === '' ? String(counter.next++) : first;
  let value = /^\d+$/.test(name) ? args.positional[Number(name)] : args.named.get(name);
  if (value === undefined) throw new TemplateError('a format names a missing argument');
  for (const [, attribute, item] of field.slice(first.length).matchAll(STEP)) {
    const key = item !== undefined && /^\d+$/.test(item) ? BigInt(item) : (item ?? '');
    value = attribute === undefined ? itemOf(value, key, budget) : attributeOf(value, attribute, budget);
  }
  return value;
}

function convert(value: Value, conversion: string, budget: Budget): Value {
  return conversion === 's' ? textOf(value, budget) : represent(value, budget);
}
