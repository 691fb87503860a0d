import type { FoundEvent } from '../scene/programs.js';
import type { SentSpan } from './sent-span.js';

/** Names of parts and calls inside messages, and of responses: the shape of what is kept says the same. A text without a role is the user's. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  type: [
    ...[
      'text',
      'tool_call',
      'tool_call_response',
      'tool-call',
      'tool-result',
      'tool_use',
      'function',
      'json',
    ],
    ...['constructor', 'human', 'ChatGeneration'],
  ],
  object: ['chat.completion', 'chat.completion.chunk', 'list', 'embedding'],
  role: ['user'],
};

/** Texts of Python that are stored as values. */
const SPELLINGS: Readonly<Record<string, string>> = { True: 'true', False: 'false' };
/** Seconds, which are kept as milliseconds. */
const IN_SECONDS = /\.time_to_first_(?:chunk|token)$|^metrics\.ttfb$/;
/** Class of a serialised message of LangChain, which is kept as its role. */
const CLASS_OF_MESSAGE = /\.id\.[0-3]$/;

/**
 * What a span said and neither its event nor the session shows: `key = value` for every single value of an attribute, or of JSON text in
 * one, that is found nowhere. Empty when nothing is lost.
 */
export function lostValues(span: SentSpan, stored: readonly FoundEvent[]): string[] {
  const kept = stored.flatMap((event) => leavesOf(event).map(([, leaf]) => leaf));
  const isKept = (leaf: string) => kept.some((candidate) => candidate.includes(SPELLINGS[leaf] ?? leaf));
  return Object.entries(span.attributes).flatMap(([key, value]) => {
    const leaves = leavesOf(value, key).filter(([path, leaf]) => !isShape(path, leaf));
    return leaves.filter(([, leaf]) => !isKept(leaf)).map(([path, leaf]) => `${path} = ${leaf}`);
  });
}

function isShape(path: string, leaf: string): boolean {
  if (CLASS_OF_MESSAGE.test(path) || IN_SECONDS.test(path)) return true;
  const key = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(SHAPES, key) && SHAPES[key]!.includes(leaf);
}

/** Every single value in a value, as text, with its path. JSON texts of objects and arrays are looked into. */
function leavesOf(value: unknown, path = ''): [string, string][] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, `${path}.${key}`));
  const parsed = typeof value === 'string' ? parsedText(value) : undefined;
  if (parsed !== undefined) return leavesOf(parsed, path);
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
}

function parsedText(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  // Also a dictionary of plain values as Python prints it.
  return parsedJson(text) ?? (/^\{'[^"]*\}$/.test(text) ? parsedJson(text.replaceAll("'", '"')) : undefined);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
