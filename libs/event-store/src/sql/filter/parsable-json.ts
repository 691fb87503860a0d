/** Integers of more than 64 bits, which the engine's parser refuses with the whole document. */
const BEYOND = [
  '-?[0-9]{21,}',
  '-[0-9]{20}',
  ...above('-9223372036854775808'),
  ...above('18446744073709551615'),
].join('|');

/** Returns patterns of the integers with as many digits as the bound that are larger, or less if it is negative. */
function above(bound: string): string[] {
  return [...bound].flatMap((digit, index) => {
    if (digit === '-' || digit === '9') return [];
    const rest = bound.length - index - 1;
    return [`${bound.slice(0, index)}[${Number(digit) + 1}-9]${rest === 0 ? '' : `[0-9]{${rest}}`}`];
  });
}

const STRING = String.raw`"(?:[^"\\\\]|\\\\.)*"`;
const TOKENS = String.raw`(${STRING})|((?:${BEYOND})\\b)`;
/** Characters that JSON text does not contain. */
const [BEGIN, END] = [String.raw`\x01`, String.raw`\x02`];

/**
 * Returns JSON that the engine has written, with a fraction behind integers that its parser refuses: it reads doubles such as 1e20, and
 * writes all their digits.
 */
export function parsable(json: string): string {
  const marked = `replaceRegexpAll(${json}, '${TOKENS}', '\\\\1${BEGIN}\\\\2${END}')`;
  const integers = `replaceAll(replaceAll(${marked}, '${BEGIN}${END}', ''), '${BEGIN}', '')`;
  return `if(match(${json}, '[0-9]{19}'), replaceAll(${integers}, '${END}', '.0'), ${json})`;
}
