import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { compareValues, stringOf } from './compare.js';
import { floatText } from './number-text.js';
import { Dict, List, Markup, Tuple, refuseUndefined, typeName, type Value } from './value.js';

const MAX_NESTING = 100;

/** Returns `json.dumps(value, sort_keys=True)`, with the characters of HTML escaped as Jinja2's `tojson` does. */
export function jsonText(value: Value, indent: number | undefined, budget: Budget): string {
  const writer: Writer = { budget, parts: [], indent };
  write(value, writer, 0);
  return writer.parts.join('');
}

interface Writer {
  readonly budget: Budget;
  readonly parts: string[];
  readonly indent: number | undefined;
}

function emit(text: string, { budget, parts }: Writer): void {
  budget.text(text.length);
  parts.push(text);
}

function write(value: Value, writer: Writer, depth: number): void {
  writer.budget.step();
  if (depth > MAX_NESTING) throw new TemplateError('a value nests too deeply for JSON');
  if (value instanceof List || value instanceof Tuple)
    return writeAll(value.items, ['[', ']'], { writer, depth }, (item) => write(item, writer, depth + 1));
  if (value instanceof Dict)
    return writeAll(sortedPairs(value, writer.budget), ['{', '}'], { writer, depth }, ([key, item]) => {
      emit(`${stringText(jsonKey(key))}: `, writer);
      write(item, writer, depth + 1);
    });
  const text = stringOf(value);
  if (text !== undefined) {
    writer.budget.text(text.length);
    writer.budget.characters(text.length);
  }
  emit(scalarText(value), writer);
}

function writeAll<Item>(
  items: readonly Item[],
  [open, close]: readonly [string, string],
  { writer, depth }: { readonly writer: Writer; readonly depth: number },
  writeItem: (item: Item) => void,
): void {
  if (items.length === 0) return emit(open + close, writer);
  const { indent } = writer;
  const newline = (level: number) => (indent === undefined ? '' : `\n${' '.repeat(indent * level)}`);
  emit(open, writer);
  items.forEach((item, index) => {
    if (index > 0) emit(indent === undefined ? ', ' : ',', writer);
    emit(newline(depth + 1), writer);
    writeItem(item);
  });
  emit(newline(depth) + close, writer);
}

function scalarText(value: Value): string {
  refuseUndefined(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return stringText(value);
  if (value instanceof Markup) return stringText(value.text);
  throw new TemplateError(`a value of type '${typeName(value)}' has no JSON`);
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return floatText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function stringText(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&'\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sortedPairs(dict: Dict, budget: Budget): [Value, Value][] {
  budget.visit(dict.size);
  const pairs = Array.from(dict.pairs());
  const isText = pairs.every(([key]) => typeof key === 'string');
  const isNumber = pairs.every(([key]) => typeof key === 'bigint' || typeof key === 'number');
  if (!isText && !isNumber && pairs.length > 1)
    throw new TemplateError('keys of different types cannot be sorted');
  return pairs.sort(([a], [b]) => compareValues(a, b, budget));
}

function jsonKey(key: Value): string {
  if (key instanceof Tuple) throw new TemplateError('a tuple cannot be a key of JSON');
  if (typeof key === 'string') return key;
  return scalarText(key).replace(/^"|"$/g, '');
}
