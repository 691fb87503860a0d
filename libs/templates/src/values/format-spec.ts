import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { lengthOf, sliceText } from './code-points.js';
import { numericOf, stringOf } from './compare.js';
import { floatText } from './number-text.js';
import { formatFloat } from './printf.js';
import { textOf } from './text.js';
import { refuseUndefined, typeName, type Value } from './value.js';

const SPEC = /^(?:([\s\S])?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;

interface Spec {
  readonly fill: string;
  readonly align: string | undefined;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string | undefined;
  readonly precision: number | undefined;
  readonly type: string | undefined;
}

/** Returns Python's `format(value, spec)`. */
export function formatWithSpec(value: Value, text: string, budget: Budget): string {
  if (text === '') return textOf(value, budget);
  const spec = parseSpec(text);
  budget.text(Math.max(spec.width, spec.precision ?? 0));
  budget.visit(spec.precision ?? 0);
  refuseUndefined(value);
  const string = stringOf(value);
  if (string !== undefined) return formatString(string, spec);
  const number = typeof value === 'boolean' && spec.type === undefined ? undefined : numericOf(value);
  if (number === undefined) throw new TemplateError(`a format does not apply to '${typeName(value)}'`);
  return formatNumber(number, spec);
}

function parseSpec(text: string): Spec {
  const groups = SPEC.exec(text);
  if (!groups) throw new TemplateError('invalid format');
  const [, fill, align, sign = '-', alternate, zero, width, grouping, precision, type] = groups;
  return {
    fill: fill ?? (zero !== undefined && align === undefined ? '0' : ' '),
    align: align ?? (zero === undefined ? undefined : '='),
    sign,
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
}

function formatString(text: string, spec: Spec): string {
  const isValid = (spec.type ?? 's') === 's' && spec.align !== '=' && !spec.grouping && spec.sign === '-';
  if (!isValid) throw new TemplateError("the format does not apply to 'str'");
  const cut = spec.precision === undefined ? text : sliceText(text, 0, spec.precision);
  return align('', cut, { ...spec, align: spec.align ?? '<' });
}

function formatNumber(number: bigint | number, spec: Spec): string {
  const isInteger = typeof number === 'bigint' && 'bcdnoxX'.includes(spec.type ?? 'd');
  if (isInteger && spec.precision !== undefined)
    throw new TemplateError('a format of integers has no precision');
  if (!isInteger && 'bcdosxX'.includes(spec.type ?? 'g'))
    throw new TemplateError("the format does not apply to 'float'");
  const text = isInteger ? integerText(number, spec) : floatSpecText(Number(number), spec);
  const isNegative = text.startsWith('-');
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const digits = group(isNegative ? text.slice(1) : text, spec);
  return align(sign, digits, { ...spec, align: spec.align ?? '>' });
}

const RADIX: Readonly<Record<string, readonly [number, string]>> = {
  b: [2, '0b'],
  o: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
};

function integerText(value: bigint, { type = 'd', alternate }: Spec): string {
  if (type === 'c') return String.fromCodePoint(Number(BigInt.asUintN(20, value)));
  const [radix, prefix] = RADIX[type] ?? [10, ''];
  const digits = (value < 0n ? -value : value).toString(radix);
  const text = type === 'X' ? digits.toUpperCase() : digits;
  return `${value < 0n ? '-' : ''}${alternate ? prefix : ''}${text}`;
}

function floatSpecText(value: number, { type, precision, alternate }: Spec): string {
  if (type === undefined && precision === undefined) return floatText(value);
  if (type === '%') return `${formatFloat(value * 100, 'f', precision ?? 6)}%`;
  if (type === undefined) return generalWithPoint(value, precision ?? 6);
  const text = formatFloat(value, type === 'n' ? 'g' : type.toLowerCase(), precision ?? 6, alternate);
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

/** Without a type a float keeps one digit behind its point. */
function generalWithPoint(value: number, precision: number): string {
  const text = formatFloat(value, 'g', precision);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function group(digits: string, { grouping, type = 'd' }: Spec): string {
  if (grouping === undefined) return digits;
  const whole = /^[\da-fA-F]+/.exec(digits)?.[0] ?? '';
  const size = 'boxX'.includes(type) ? 4 : 3;
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= size)
    groups.unshift(whole.slice(Math.max(0, end - size), end));
  return groups.join(grouping) + digits.slice(whole.length);
}

function align(sign: string, text: string, spec: Spec): string {
  const missing = Math.max(0, spec.width - lengthOf(sign + text));
  if (spec.align === '=') return sign + spec.fill.repeat(missing) + text;
  if (spec.align === '<') return sign + text + spec.fill.repeat(missing);
  if (spec.align === '>') return spec.fill.repeat(missing) + sign + text;
  const left = Math.floor(missing / 2);
  return spec.fill.repeat(left) + sign + text + spec.fill.repeat(missing - left);
}
