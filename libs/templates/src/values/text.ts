import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { floatText } from './number-text.js';
import { Callable, Dict, List, Markup, Namespace, Tuple, Undefined, View, type Value } from './value.js';

const MAX_NESTING = 100;

/** Returns the text that Python's `str()` gives, and an empty one for undefined. */
export function textOf(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return '';
  return represent(value, budget);
}

/** Returns Python's `repr()`. */
export function represent(value: Value, budget: Budget): string {
  const parts: string[] = [];
  write(value, { budget, parts, depth: 0 });
  return parts.join('');
}

interface Writer {
  readonly budget: Budget;
  readonly parts: string[];
  readonly depth: number;
}

function write(value: Value, writer: Writer): void {
  if (writer.depth > MAX_NESTING) throw new TemplateError('a value nests too deeply to be printed');
  if (typeof value === 'object' && value !== null) return writeObject(value, writer);
  emit(scalarText(value, writer.budget), writer);
}

function emit(text: string, { budget, parts }: Writer): void {
  budget.text(text.length);
  parts.push(text);
}

function scalarText(value: string | bigint | number | boolean | null, budget: Budget): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'string') return quote(value, budget);
  const digits = String(value);
  budget.visit(digits.length);
  return digits;
}

function writeObject(value: Value & object, writer: Writer): void {
  if (value instanceof List) return writeItems(value.items, ['[', ']'], writer);
  if (value instanceof Tuple)
    return writeItems(value.items, ['(', value.items.length === 1 ? ',)' : ')'], writer);
  if (value instanceof Dict) return writeDict(value, writer);
  if (value instanceof View) return writeView(value, writer);
  if (value instanceof Markup) return emit(`Markup(${quote(value.text, writer.budget)})`, writer);
  if (value instanceof Undefined) return emit('Undefined', writer);
  if (value instanceof Callable) return emit(`<function ${value.name}>`, writer);
  emit(value instanceof Namespace ? '<Namespace>' : `<${value.objectType}>`, writer);
}

function writeItems(items: readonly Value[], brackets: readonly [string, string], writer: Writer): void {
  const inner = { ...writer, depth: writer.depth + 1 };
  emit(brackets[0], writer);
  items.forEach((item, index) => {
    writer.budget.step();
    if (index > 0) emit(', ', writer);
    write(item, inner);
  });
  emit(brackets[1], writer);
}

function writeDict(dict: Dict, writer: Writer): void {
  const inner = { ...writer, depth: writer.depth + 1 };
  let separator = '{';
  for (const [key, value] of dict.pairs()) {
    writer.budget.step();
    emit(separator, writer);
    write(key, inner);
    emit(': ', writer);
    write(value, inner);
    separator = ', ';
  }
  emit(dict.size === 0 ? '{}' : '}', writer);
}

function writeView(view: View, writer: Writer): void {
  if (view.type === 'range') return emit(view.text, writer);
  if (view.type === 'generator') return writeItems(view.items, ['[', ']'], writer);
  writeItems(view.items, [`${view.type}([`, '])'], writer);
}

const UNPRINTABLE = /[\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns a string in quotes, as Python's `repr()`. */
export function quote(text: string, budget: Budget): string {
  budget.text(text.length);
  budget.characters(text.length);
  const delimiter = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(UNPRINTABLE, escapeCharacter);
  return `${delimiter}${delimiter === "'" ? escaped.replaceAll("'", "\\'") : escaped}${delimiter}`;
}

function escapeCharacter(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) as number;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** Returns text with the five characters of HTML escaped; Markup is returned unchanged. */
export function escapeHtml(value: Value, budget: Budget): string {
  const text = textOf(value, budget);
  if (value instanceof Markup) return text;
  budget.text(text.length);
  budget.characters(text.length);
  const escaped = text.replace(/[&<>'"]/g, (character) => HTML[character] as string);
  budget.text(escaped.length);
  return escaped;
}
