import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { numericOf, stringOf } from './compare.js';
import { lengthOf, sliceText } from './code-points.js';
import { exponentialText, fixedText, floatText, generalText } from './number-text.js';
import { escapeHtml, represent, textOf } from './text.js';
import { Dict, Markup, Tuple, Undefined, refuseUndefined, typeName, type Value } from './value.js';

const DIRECTIVE = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S]?)/g;
const HAS_PRECISION = /^%(?:\([^)]*\))?[-+ #0]*(?:\*|\d+)?\./;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
}

/** Returns `format % values`: printf-style formatting of Python. */
export function formatPercent(format: string | Markup, values: Value, budget: Budget): Value {
  const source = new ArgumentSource(values);
  const isMarkup = format instanceof Markup;
  const text = isMarkup ? format.text : format;
  budget.text(text.length);
  const result = text.replace(DIRECTIVE, (whole, ...groups: (string | undefined)[]) => {
    budget.step();
    const [name, flags = '', width, precision, type = ''] = groups;
    if (type === '%') return '%';
    if (type === '') throw new TemplateError('incomplete format');
    const directive = {
      flags,
      width: width === '*' ? source.nextSize() : Number(width ?? 0),
      precision: HAS_PRECISION.test(whole)
        ? precision === '*'
          ? source.nextSize()
          : Number(precision ?? 0)
        : undefined,
      type,
    };
    budget.text(Math.max(directive.width, directive.precision ?? 0));
    const value = name === undefined ? source.next() : source.named(name);
    const formatted = formatDirective(value, directive, budget);
    budget.text(formatted.length);
    return isMarkup && !(value instanceof Markup) ? escapeHtml(formatted, budget) : formatted;
  });
  source.assertUsed();
  budget.text(result.length);
  return isMarkup ? new Markup(result) : result;
}

class ArgumentSource {
  private index = 0;

  constructor(private readonly values: Value) {}

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
    const value = this.values.get(name);
    if (value === undefined) throw new TemplateError('a format names a missing key');
    return value;
  }

  assertUsed(): void {
    const count = this.values instanceof Tuple ? this.values.items.length : 1;
    if (this.index < count && !(this.values instanceof Dict))
      throw new TemplateError('not all arguments of the format are used');
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
