/** Python's text of numbers. */

/** Returns `repr(float)`: the shortest digits that give the same number, with an exponent below 1e-4 and from 1e16. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const { sign, digits, exponent } = shortest(value);
  if (exponent < -4 || exponent >= 16) return `${sign}${scientific(digits, exponent)}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

function shortest(value: number): { sign: string; digits: string; exponent: number } {
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  return { sign: value < 0 ? '-' : '', digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function scientific(digits: string, exponent: number): string {
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${mantissa}e${exponentText(exponent)}`;
}

function exponentText(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Returns `value · 10^digits` rounded half to even, computed exactly. */
export function scaledHalfEven(value: number, digits: number): bigint {
  const { mantissa, exponent } = decompose(value);
  const power = 10n ** BigInt(Math.abs(digits));
  let numerator = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa;
  let denominator = exponent >= 0 ? 1n : 1n << BigInt(-exponent);
  if (digits >= 0) numerator *= power;
  else denominator *= power;
  return divideHalfEven(numerator, denominator);
}

export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n;
  const size = isNegative ? -numerator : numerator;
  const quotient = size / denominator;
  const twice = (size % denominator) * 2n;
  const roundsUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  const rounded = roundsUp ? quotient + 1n : quotient;
  return isNegative ? -rounded : rounded;
}

/** The number as `mantissa · 2^exponent`. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: bits >> 63n ? -size : size, exponent: Math.max(biased, 1) - 1075 };
}

/** Returns `format(value, '.Nf')` of a finite number. */
export function fixedText(value: number, digits: number): string {
  const scaled = scaledHalfEven(value, digits);
  const isNegative = value < 0 || Object.is(value, -0);
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits > 0 ? `.${text.slice(-digits)}` : '';
  return `${isNegative ? '-' : ''}${whole}${fraction}`;
}

/** Returns `format(value, '.Ne')` of a finite number: half to even on the exact value. */
export function exponentialText(value: number, digits: number): string {
  if (value === 0) return `${(0).toFixed(digits)}e+00`;
  let exponent = Number(Math.abs(value).toExponential().split('e')[1]);
  let scaled = scaledHalfEven(Math.abs(value), digits - exponent);
  if (String(scaled).length > digits + 1) scaled = scaledHalfEven(Math.abs(value), digits - ++exponent);
  const text = String(scaled);
  const mantissa = digits > 0 ? `${text[0]}.${text.slice(1)}` : text;
  return `${value < 0 ? '-' : ''}${mantissa}e${exponentText(exponent)}`;
}

/** Returns `format(value, '.Ng')` of a finite number. */
export function generalText(value: number, precision: number, keepsZeros = false): string {
  const digits = Math.max(precision, 1);
  const [, exponentPart] = exponentialText(value, digits - 1).split('e') as [string, string];
  const exponent = value === 0 ? 0 : Number(exponentPart);
  const isScientific = exponent < -4 || exponent >= digits;
  const text = isScientific ? exponentialText(value, digits - 1) : fixedText(value, digits - 1 - exponent);
  if (keepsZeros) return text;
  const [number, suffix] = text.split('e') as [string, string | undefined];
  const trimmed = number.includes('.') ? number.replace(/0+$/, '').replace(/\.$/, '') : number;
  return suffix === undefined ? trimmed : `${trimmed}e${suffix}`;
}

/** Returns Python's `round(value, digits)` of a float. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > 323) return value;
  if (digits < -308) return 0 * value;
  const scaled = scaledHalfEven(value, digits);
  if (scaled === 0n) return value < 0 || Object.is(value, -0) ? -0 : 0;
  return Number(`${scaled}e${-digits}`);
}
