/** Parts of a datapoint that a person changes, as JSON. */
export const PARTS = ['inputs', 'history', 'ground_truth', 'metadata'] as const;
export type Part = (typeof PARTS)[number];

/** Returns what is wrong with the JSON of a part; undefined when it can be sent. */
export function problemOf(part: Part, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (part === 'history') {
    const isList = Array.isArray(value) && value.every(isObject);
    return isList ? undefined : 'This must be a list of messages, each an object.';
  }
  if (value === null && part !== 'inputs') return undefined;
  return isObject(value) ? undefined : 'This must be an object, such as {"question": "…"}.';
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the changed parts as one JSON object with the texts as they were typed; undefined without a change. */
export function bodyOfChange(
  before: Readonly<Record<Part, string>>,
  after: Readonly<Record<Part, string>>,
): string | undefined {
  const changed = PARTS.filter((part) => after[part].trim() !== before[part].trim());
  if (changed.length === 0) return undefined;
  return `{${changed.map((part) => `"${part}":${after[part]}`).join(',')}}`;
}
