import { MAX_INTEGER_DIGITS, type Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { calculate } from '../values/arithmetic.js';
import { numericOf, stringOf } from '../values/compare.js';
import { strip } from '../values/code-points.js';
import { divideHalfEven, roundFloat } from '../values/number-text.js';
import { refuseUndefined, typeName, type Value } from '../values/value.js';
import type { FilterFunction } from './builtin.js';

/** Each text matches in one way only, so that a mismatch is found in linear time. */
const FLOAT_TEXT =
  /^[+-]?(?:(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;
const MAX_FLOAT_LENGTH = 1_000;

/** Returns Python's `float(text)`; undefined when it is no number. */
export function parseFloatText(text: string): number | undefined {
  const trimmed = strip(text);
  if (!/\d|inf|nan/i.test(trimmed) || trimmed.length > MAX_FLOAT_LENGTH || !FLOAT_TEXT.test(trimmed))
    return undefined;
  const plain = trimmed.replaceAll('_', '').toLowerCase();
  if (plain.endsWith('nan')) return NaN;
  if (plain.includes('inf')) return plain.startsWith('-') ? -Infinity : Infinity;
  const number = Number(plain);
  return Number.isNaN(number) ? undefined : number;
}

/** Returns Python's `int(text, base)`; undefined when it is no integer. */
export function parseIntegerText(text: string, base: number): bigint | undefined {
  if (text.length > MAX_INTEGER_DIGITS) return undefined;
  const groups = /^([+-]?)(0[xXoObB])?_?([\da-zA-Z]+(?:_[\da-zA-Z]+)*)$/.exec(strip(text));
  if (!groups) return undefined;
  const [, sign, prefix = '', digits = ''] = groups as unknown as [
    string,
    string,
    string | undefined,
    string,
  ];
  const radix = { '0x': 16, '0o': 8, '0b': 2 }[prefix.toLowerCase()];
  const isPrefix = radix !== undefined && (base === radix || base === 0);
  const magnitude = parseDigits(
    (isPrefix || prefix === '' ? digits : prefix + digits).replaceAll('_', '').toLowerCase(),
    isPrefix ? radix : base === 0 ? 10 : base,
  );
  return magnitude !== undefined && sign === '-' ? -magnitude : magnitude;
}

function parseDigits(digits: string, base: number): bigint | undefined {
  const values = Array.from(digits, (digit) => parseInt(digit, 36));
  if (values.some((digit) => Number.isNaN(digit) || digit >= base)) return undefined;
  if (base === 10) return BigInt(digits);
  return values.reduce((sum, digit) => sum * BigInt(base) + BigInt(digit), 0n);
}

const int: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['default', 'base'], 'int');
  refuseUndefined(subject);
  const fallback = bound.value('default', 0n);
  const text = stringOf(subject);
  chargeParsing(text ?? '', budget);
  const number = text === undefined ? numericOf(subject) : parseIntegerText(text, bound.integer('base', 10));
  if (typeof number === 'bigint') return number;
  const float = number ?? (text === undefined ? undefined : parseFloatText(text));
  if (typeof subject === 'number' && !Number.isFinite(subject) && !Number.isNaN(subject))
    throw new TemplateError('an infinite number has no integer');
  return float === undefined || !Number.isFinite(float) ? fallback : BigInt(Math.trunc(float));
};

/** Charges reading a number from text: making an integer takes time in the square of its digits. */
function chargeParsing(text: string, budget: Budget): void {
  budget.scan(text.length + Math.min(text.length, MAX_INTEGER_DIGITS) ** 2 / 8);
}

const float: FilterFunction = (subject, args, { budget }) => {
  const fallback = bind(args, ['default'], 'float').value('default', 0.0);
  refuseUndefined(subject);
  const text = stringOf(subject);
  budget.scan(text?.length ?? 0);
  const number = text === undefined ? numericOf(subject) : parseFloatText(text);
  return number === undefined ? fallback : asFloat(number);
};

function asFloat(number: bigint | number): number {
  const float = Number(number);
  if (typeof number === 'bigint' && !Number.isFinite(float))
    throw new TemplateError('an integer is too large for a float');
  return float;
}

function needNumber(subject: Value, filter: string): bigint | number {
  refuseUndefined(subject);
  const number = numericOf(subject);
  if (number === undefined) throw new TemplateError(`${filter} needs a number, not '${typeName(subject)}'`);
  return number;
}

const abs: FilterFunction = (subject, args) => {
  bind(args, [], 'abs');
  const number = needNumber(subject, 'abs');
  return typeof number === 'bigint' ? (number < 0n ? -number : number) : Math.abs(number);
};

const round: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['precision', 'method'], 'round');
  const number = needNumber(subject, 'round');
  const precision = bound.integer('precision', 0);
  const method = bound.text('method', 'common');
  if (Math.abs(precision) > 400) throw new TemplateError('the precision of round is too large');
  budget.visit(Math.abs(precision));
  if (method === 'common')
    return typeof number === 'number' ? roundFloat(number, precision) : roundInteger(number, precision);
  if (method !== 'ceil' && method !== 'floor')
    throw new TemplateError("the method of round must be 'common', 'ceil' or 'floor'");
  const power = calculate('**', 10n, BigInt(precision), budget);
  const scaled = Number(calculate('*', number, power, budget));
  if (!Number.isFinite(scaled)) throw new TemplateError('an infinite number cannot be rounded');
  const whole = method === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled);
  return calculate('/', BigInt(whole), power, budget);
};

function roundInteger(number: bigint, precision: number): bigint {
  if (precision >= 0) return number;
  const power = 10n ** BigInt(-precision);
  return divideHalfEven(number, power) * power;
}

export const NUMBER_FILTERS: Readonly<Record<string, FilterFunction>> = { abs, float, int, round };
