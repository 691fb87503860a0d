/** Names under which applications keep what was asked and what was answered, the most telling first. */
const TELLING = [
  'question',
  'query',
  'content',
  'text',
  'answer',
  'message',
  'prompt',
  'input',
  'output',
  'result',
  'value',
  'name',
];
const STRING = /"((?:[^"\\]|\\.)*)("|$)/gs;
const SKIPPED = new Set(['role', 'type', 'id', 'tool_call_id']);

/**
 * Returns the text that a person would read in the beginning of a JSON text, which may be cut anywhere: the value of the most telling name,
 * else the JSON. The last `content` wins over former ones, because messages are listed oldest first.
 */
export function previewText(json: string | null | undefined): string {
  if (json === null || json === undefined) return '';
  const found = new Map<string, string>();
  for (const { key, text } of textsOf(json)) {
    if (text.trim() === '' || SKIPPED.has(key)) continue;
    if (TELLING.includes(key)) found.set(key, text);
  }
  const best = TELLING.map((name) => found.get(name)).find((text) => text !== undefined);
  if (best !== undefined) return best.replace(/\s+/g, ' ');
  return json === '{}' ? '' : json;
}

/** The texts of a JSON text with the names that precede them. */
function textsOf(json: string): { readonly key: string; readonly text: string }[] {
  const texts: { key: string; text: string }[] = [];
  let key = '';
  for (const match of json.matchAll(STRING)) {
    const text = unescape(match[1] ?? '');
    if (/^\s*:/.test(json.slice(match.index + match[0].length))) key = text;
    else texts.push({ key, text });
  }
  return texts;
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Cut within an escape.
    return text
      .replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
      .replace(/\\(["\\/])/g, '$1')
      .replace(/\\[nrt]/g, ' ');
  }
}
