const TWO_32 = 4_294_967_296;

/**
 * A 64-bit integer from its decimal text: a number if exact, else its decimal text. Other text is unchanged.
 */
export function integerFromText(text: string): number | string {
  if (!/^[+-]?\d{1,40}$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number + 0 : BigInt(text.replace(/^\+/, '')).toString();
}

/** A signed 64-bit integer from its halves: a number if exact, else its decimal text. */
export function integerFromHalves(low: number, high: number): number | string {
  const signedHigh = high | 0;
  const number = signedHigh * TWO_32 + (low >>> 0);
  if (Number.isSafeInteger(number)) return number;
  return ((BigInt(signedHigh) << 32n) + BigInt(low >>> 0)).toString();
}
