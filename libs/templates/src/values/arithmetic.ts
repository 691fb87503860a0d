import { MAX_INTEGER_BITS, type Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { numericOf, stringOf, type Numeric } from './compare.js';
import { formatPercent } from './printf.js';
import { escapeHtml } from './text.js';
import { List, Markup, Tuple, refuseUndefined, typeName, type Value } from './value.js';
import type { BinaryOperator } from '../syntax/nodes.js';

/** Products of two words of integers that cost as much as one step. */
const WORDS_PER_STEP = 512;

/** Returns the result of an operator between two values, as in Python. */
export function calculate(operator: BinaryOperator, left: Value, right: Value, budget: Budget): Value {
  refuseUndefined(left);
  const text = stringOf(left);
  if (operator === '%' && text !== undefined) return formatPercent(left as string | Markup, right, budget);
  refuseUndefined(right);
  const [a, b] = [numericOf(left), numericOf(right)];
  if (a !== undefined && b !== undefined) {
    chargeIntegers(a, b, budget);
    return calculateNumbers(operator, a, b);
  }
  const result =
    operator === '+'
      ? concatenate(left, right, budget)
      : operator === '*'
        ? repeat(left, right, budget)
        : undefined;
  if (result !== undefined) return result;
  throw new TemplateError(
    `the operator '${operator}' does not apply to '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** Charges an operation on integers, which takes time in the product of their lengths. */
function chargeIntegers(a: Numeric, b: Numeric, budget: Budget): void {
  const words = wordsOf(a) * wordsOf(b);
  if (words > 1) budget.step(Math.ceil(words / WORDS_PER_STEP));
}

/** Words of 64 bits of an integer. */
function wordsOf(value: Numeric): number {
  if (typeof value === 'number' || BigInt.asIntN(64, value) === value) return 1;
  return Math.ceil(value.toString(16).length / 16);
}

export function negate(value: Value, sign: '-' | '+'): Value {
  refuseUndefined(value);
  const number = numericOf(value);
  if (number === undefined)
    throw new TemplateError(`the sign '${sign}' does not apply to '${typeName(value)}'`);
  return sign === '-' ? -number : number;
}

function concatenate(left: Value, right: Value, budget: Budget): Value | undefined {
  const [a, b] = [stringOf(left), stringOf(right)];
  if (a !== undefined && b !== undefined) {
    budget.text(a.length + b.length);
    const isMarkup = left instanceof Markup || right instanceof Markup;
    return isMarkup ? new Markup(escapeHtml(left, budget) + escapeHtml(right, budget)) : a + b;
  }
  const isSame =
    (left instanceof List && right instanceof List) || (left instanceof Tuple && right instanceof Tuple);
  if (!isSame) return undefined;
  budget.items(left.items.length + right.items.length);
  const items = [...left.items, ...right.items];
  return left instanceof List ? new List(items) : new Tuple(items);
}

function repeat(left: Value, right: Value, budget: Budget): Value | undefined {
  const count = repetitions(left) ?? repetitions(right);
  const subject = repetitions(left) === undefined ? left : right;
  if (count === undefined) return undefined;
  const text = stringOf(subject);
  if (text !== undefined) {
    const repeated = text === '' ? 0 : count;
    budget.text(text.length * repeated);
    return subject instanceof Markup ? new Markup(text.repeat(repeated)) : text.repeat(repeated);
  }
  if (!(subject instanceof List) && !(subject instanceof Tuple)) return undefined;
  const isEmpty = count === 0 || subject.items.length === 0;
  budget.items(isEmpty ? 0 : subject.items.length * count);
  const items: Value[] = [];
  for (let left = isEmpty ? 0 : count; left > 0; left--) for (const item of subject.items) items.push(item);
  return subject instanceof List ? new List(items) : new Tuple(items);
}

function repetitions(value: Value): number | undefined {
  const number = numericOf(value);
  return typeof number === 'bigint' ? Math.max(0, Number(number)) : undefined;
}

function calculateNumbers(operator: BinaryOperator, a: Numeric, b: Numeric): Numeric {
  if (operator === '/') return divide(Number(a), Number(b));
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkSize(calculateIntegers(operator, a, b));
  return calculateFloats(operator, Number(a), Number(b));
}

function calculateIntegers(operator: Exclude<BinaryOperator, '/'>, a: bigint, b: bigint): Numeric {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '//':
      return floorDivide(a, b);
    case '%':
      return a - floorDivide(a, b) * b;
    case '**':
      return integerPower(a, b);
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new TemplateError('division by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function integerPower(base: bigint, exponent: bigint): Numeric {
  if (exponent < 0n) return floatPower(Number(base), Number(exponent));
  const bits = base.toString(2).length;
  const isTiny = base === 0n || base === 1n || base === -1n;
  if (!isTiny && BigInt(bits) * exponent > BigInt(MAX_INTEGER_BITS * 2)) throw tooLarge();
  return isTiny
    ? base ** (exponent % 2n === 0n && exponent > 0n ? 2n : exponent === 0n ? 0n : 1n)
    : base ** exponent;
}

function checkSize(value: Numeric): Numeric {
  if (typeof value === 'bigint' && BigInt.asIntN(MAX_INTEGER_BITS, value) !== value) throw tooLarge();
  return value;
}

function tooLarge(): TemplateError {
  return new TemplateError('an integer is too large');
}

function calculateFloats(operator: Exclude<BinaryOperator, '/'>, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '//':
      return floorFloats(a, b);
    case '%':
      return floatModulo(a, b);
    case '**':
      return floatPower(a, b);
  }
}

function divide(a: number, b: number): number {
  if (b === 0) throw new TemplateError('division by zero');
  return a / b;
}

/** The remainder with the sign of the divisor. Source: `float_rem` of CPython. */
function floatModulo(a: number, b: number): number {
  if (b === 0) throw new TemplateError('division by zero');
  const remainder = a % b;
  if (remainder === 0) return b < 0 ? -0 : 0;
  return remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/** Source: `float_floor_div` of CPython. */
function floorFloats(a: number, b: number): number {
  const quotient = divide(a - floatModulo(a, b), b);
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function floatPower(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new TemplateError('zero cannot be raised to a negative power');
  const power = base === 1 ? 1 : base ** exponent;
  if (Number.isNaN(power) && !Number.isNaN(base) && !Number.isNaN(exponent))
    throw new TemplateError('the result of a power is complex');
  if (!Number.isFinite(power) && Number.isFinite(base) && Number.isFinite(exponent)) throw tooLarge();
  return power;
}
