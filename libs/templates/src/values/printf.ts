import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { numericOf, stringOf } from './compare.js';
import { lengthOf, sliceText } from './code-points.js';
import { exponentialText, fixedText, floatText, generalText } from './number-text.js';
import { escapeHtml, represent, textOf } from './text.js';
import {
  Dict,
  List,
  Markup,
  Tuple,
  Undefined,
  View,
  refuseUndefined,
  typeName,
  type Value,
} from './value.js';

/** A directive of a format, such as `%-5.2f`. */
interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
}

/** Returns `format % values`: printf-style formatting of Python. */
export function formatPercent(format: string | Markup, values: Value, budget: Budget): Value {
  const source = new ArgumentSource(values, budget);
  const isMarkup = format instanceof Markup;
  const text = isMarkup ? format.text : format;
  budget.text(text.length);
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', start)) {
    budget.step();
    const { end, name, ...written } = readDirective(text, at);
    parts.push(text.slice(start, at));
    start = end;
    if (written.type === '%') parts.push('%');
    else parts.push(formatValue({ ...written, name }, { source, budget, isMarkup }));
  }
  source.assertUsed();
  const result = parts.join('') + text.slice(start);
  budget.text(result.length);
  return isMarkup ? new Markup(result) : result;
}

/** A directive as it is written: a width or precision of `*` is an argument. */
interface WrittenDirective {
  readonly name: string | undefined;
  readonly flags: string;
  readonly width: string;
  readonly precision: string | undefined;
  readonly type: string;
}

const FLAGS = '-+ #0';
const DIGITS = '0123456789';

/** Reads the directive at a `%`, each character once. @throws TemplateError when it is incomplete */
function readDirective(text: string, start: number): WrittenDirective & { readonly end: number } {
  let at = start + 1;
  const readWhile = (characters: string) => {
    const from = at;
    while (at < text.length && characters.includes(text[at] as string)) at++;
    return text.slice(from, at);
  };
  const readSize = () => (text[at] === '*' ? text[at++] : readWhile(DIGITS)) as string;
  let name: string | undefined;
  if (text[at] === '(') {
    const end = text.indexOf(')', at);
    if (end < 0) throw new TemplateError('incomplete format');
    name = text.slice(at + 1, end);
    at = end + 1;
  }
  const flags = readWhile(FLAGS);
  const width = readSize();
  const precision = text[at] === '.' ? (at++, readSize()) : undefined;
  if (at < text.length && 'hlL'.includes(text[at] as string)) at++;
  if (at >= text.length) throw new TemplateError('incomplete format');
  return { name, flags, width, precision, type: text[at] as string, end: at + 1 };
}

interface Formatting {
  readonly source: ArgumentSource;
  readonly budget: Budget;
  readonly isMarkup: boolean;
}

function formatValue(written: WrittenDirective, { source, budget, isMarkup }: Formatting): string {
  const size = (digits: string) => (digits === '*' ? source.nextSize() : Number(digits));
  const { name, flags, type } = written;
  const width = size(written.width);
  const precision = written.precision === undefined ? undefined : size(written.precision);
  budget.text(Math.max(width, precision ?? 0));
  budget.visit(precision ?? 0);
  const value = name === undefined ? source.next() : source.named(name);
  const formatted = formatDirective(value, { flags, width, precision, type }, budget);
  budget.text(formatted.length);
  return isMarkup && !(value instanceof Markup) ? escapeHtml(formatted, budget) : formatted;
}

class ArgumentSource {
  private index = 0;

  constructor(
    private readonly values: Value,
    private readonly budget: Budget,
  ) {}

  next(): Value {
    const items = this.values instanceof Tuple ? this.values.items : [this.values];
    const value = items[this.index++];
    if (value === undefined) throw new TemplateError('not enough arguments for the format');
    return value;
  }

  nextSize(): number {
    const size = this.next();
    if (typeof size !== 'bigint') throw new TemplateError("'*' in a format needs an integer");
    return Math.abs(Number(size));
  }

  named(name: string): Value {
    if (!(this.values instanceof Dict)) throw new TemplateError('a format with names needs a dict');
    this.index = 1;
    const value = this.values.get(name, this.budget);
    if (value === undefined) throw new TemplateError('a format names a missing key');
    return value;
  }

  assertUsed(): void {
    const count = this.values instanceof Tuple ? this.values.items.length : 1;
    const isMapping =
      this.values instanceof Dict || this.values instanceof List || this.values instanceof View;
    if (this.index < count && !isMapping) throw new TemplateError('not all arguments of the format are used');
  }
}

function formatDirective(value: Value, directive: Directive, budget: Budget): string {
  const { type, precision } = directive;
  if (type === 's' || type === 'r' || type === 'a') {
    const text = type === 's' ? textOf(value, budget) : represent(value, budget);
    return pad(precision === undefined ? text : sliceText(text, 0, precision), directive);
  }
  if (type === 'c') return pad(characterOf(value), directive);
  refuseUndefined(value);
  if ('diu'.includes(type)) return padNumber(precisely(String(integerOf(value, 'd')), precision), directive);
  if ('xXo'.includes(type)) return padNumber(radixText(integerOf(value, type), directive), directive);
  if ('eEfFgG'.includes(type)) return padNumber(floatDirective(value, directive), directive);
  throw new TemplateError('unsupported format character');
}

function integerOf(value: Value, type: string): bigint {
  const number = numericOf(value);
  if (typeof number === 'bigint') return number;
  if (number === undefined || !Number.isFinite(number) || type !== 'd')
    throw new TemplateError(`the format needs an integer, not '${typeName(value)}'`);
  return BigInt(Math.trunc(number));
}

function precisely(digits: string, precision = 0): string {
  const sign = digits.startsWith('-') ? '-' : '';
  return sign + digits.slice(sign.length).padStart(precision, '0');
}

function radixText(value: bigint, { type, flags, precision }: Directive): string {
  const text = (value < 0n ? -value : value).toString(type === 'o' ? 8 : 16);
  const prefix = flags.includes('#') ? (type === 'o' ? '0o' : '0x') : '';
  const full = `${value < 0n ? '-' : ''}${prefix}${text.padStart(precision ?? 0, '0')}`;
  return type === 'X' ? full.toUpperCase() : full;
}

function floatDirective(value: Value, { type, flags, precision = 6 }: Directive): string {
  const number = numericOf(value);
  if (number === undefined) throw new TemplateError(`the format needs a number, not '${typeName(value)}'`);
  const text = formatFloat(Number(number), type.toLowerCase(), precision, flags.includes('#'));
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

/** Returns a float in the notation `e`, `f` or `g`. */
export function formatFloat(value: number, type: string, precision: number, keepsZeros = false): string {
  if (!Number.isFinite(value)) return floatText(value);
  if (precision > 1_000) throw new TemplateError('the precision of a format is too large');
  if (type === 'e') return exponentialText(value, precision);
  return type === 'f' ? fixedText(value, precision) : generalText(value, precision, keepsZeros);
}

function characterOf(value: Value): string {
  const text = stringOf(value);
  if (text !== undefined && lengthOf(text) === 1) return text;
  if (value instanceof Undefined || typeof value !== 'bigint' || value < 0n || value > 0x10ffffn)
    throw new TemplateError("'%c' needs one character");
  return String.fromCodePoint(Number(value));
}

function pad(text: string, { flags, width }: Directive): string {
  const missing = Math.max(0, width - lengthOf(text));
  return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}

function padNumber(text: string, directive: Directive): string {
  const { flags, width } = directive;
  const sign = text.startsWith('-') ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const digits = text.startsWith('-') ? text.slice(1) : text;
  const fillsZeros = flags.includes('0') && !flags.includes('-') && /\d/.test(digits);
  if (!fillsZeros) return pad(sign + digits, directive);
  const prefix = /^0[xXo]/.exec(digits)?.[0] ?? '';
  return sign + prefix + digits.slice(prefix.length).padStart(width - sign.length - prefix.length, '0');
}
