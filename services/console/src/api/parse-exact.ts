/** So many digits in a row that a JavaScript number may not keep them. */
const LONG_NUMBER = /\d{16}/;
/** An integer, or one with an exponent, as the server writes those beyond 64 bits. */
const INTEGER = /^(-?\d+)(?:\.(\d+))?(?:e\+?(\d{1,3}))?$/i;

/** Parses JSON. An integer beyond 2^53 becomes a `bigint` with all its digits; any other value is as usual. */
export function parseExact(text: string): unknown {
  return LONG_NUMBER.test(text) ? (JSON.parse(text, keepDigits) as unknown) : (JSON.parse(text) as unknown);
}

/** A browser that does not pass the text of a value shows the number that it has read. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return exactInteger(context?.source ?? '') ?? value;
}

/** Returns the integer that a number in JSON states; undefined for any other number. */
export function exactInteger(source: string): bigint | undefined {
  const [, whole, fraction = '', exponent = '0'] = INTEGER.exec(source) ?? [];
  const zeros = Number(exponent) - fraction.length;
  return whole === undefined || zeros < 0 ? undefined : BigInt(whole + fraction + '0'.repeat(zeros));
}

/** Returns a record whose own fields and lists, which the contract states as numbers, have no `bigint`. */
export function withNumbers<Fields extends object>(record: Fields): Fields {
  const fields = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(asNumber) : asNumber(value),
  ]);
  return Object.fromEntries(fields) as Fields;
}

const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
