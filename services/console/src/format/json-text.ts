/** Returns a value as JSON. Integers beyond 2^53, which `JSON.stringify` refuses, have all their digits. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${jsonText(one)}`);
  return `{${members.join(',')}}`;
}
