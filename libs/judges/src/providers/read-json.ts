/** Readers of JSON from a provider, which may be anything. */

export function property(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[key];
  }
  return found;
}

/** A count of tokens; 0 when it is missing or not a count. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const count = property(value, ...path);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const text = property(value, ...path);
  return typeof text === 'string' ? text : undefined;
}

/** Types of the parts of a content that are the answer; thoughts, refusals and calls of tools have others. */
const ANSWER_TYPES: ReadonlySet<unknown> = new Set([undefined, 'text', 'output_text']);

/** Text of the answer in a content: a string, or the `text` of its parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(partText).join('');
}

function partText(part: unknown): string {
  const isAnswer = ANSWER_TYPES.has(property(part, 'type')) && property(part, 'thought') !== true;
  return isAnswer ? (textAt(part, 'text') ?? '') : '';
}

/** Appends a path to a base URL, which may end with a slash and have a query. */
export function urlBelow(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
