import { isJsonObject, type JsonValue } from '@assay/domain';
import { parsed } from '../src/json/parse-json.js';
import type { MappedTraces } from '../src/to-events.js';
import type { SpanInput } from './otlp-request.js';

/** A value that a span carries, with the keys that lead to it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: string | number | bigint | boolean;
}

/**
 * Attributes whose values are stored in another form, or on purpose not at all. Everything else that a span
 * carries has to be found in its event.
 */
export const EXCEPTIONS: readonly { readonly keys: RegExp; readonly why: string }[] = [
  {
    keys: /^(honeyhive_project|honeyhive\.project|traceloop\.association\.properties\.project)$/,
    why: 'the API key determines the project',
  },
  { keys: /^honeyhive\.session_auto_create$/, why: 'controls whether a session is synthesised' },
  { keys: /(^|\.)tags$/, why: 'tags are split at commas and trimmed' },
  {
    keys: /^langfuse\.observation\.completion_start_time$/,
    why: 'a time, stored as the milliseconds since the start',
  },
  {
    keys: /(time_to_first_(chunk|token)|time_in_queue|latency\.e2e|metrics\.ttfb)$/,
    why: 'seconds or nanoseconds, stored as milliseconds',
  },
  { keys: /^logfire\.pending_parent_id$/, why: 'the placeholder of a running span is not an event' },
];

/** Fields of a message, a part or a call, inside the value of an attribute, that describe its place or its shape. */
const STRUCTURE = new Set(['role', 'type', 'index', 'event.name', 'gen_ai.message.index']);
/** Texts that mean that there is no value. */
const PLACEHOLDERS = new Set(['', 'null', 'None', 'undefined', 'N/A', '<not specified>', '[]', '{}']);

/** Leaves of a value; JSON text is read as what it contains. */
function* leavesOf(value: JsonValue, path: readonly string[]): Generator<Leaf> {
  const inner = parsed(value);
  if (Array.isArray(inner)) for (const item of inner) yield* leavesOf(item, path);
  else if (isJsonObject(inner))
    for (const key of Object.keys(inner)) yield* leavesOf(inner[key] as JsonValue, [...path, key]);
  else if (inner !== null && !isExcepted(path, inner)) yield { path, value: inner };
}

function isExcepted(path: readonly string[], value: string | number | bigint | boolean): boolean {
  if (typeof value === 'string' && PLACEHOLDERS.has(value.trim())) return true;
  const [key = '', ...inner] = path;
  return STRUCTURE.has(inner.at(-1) ?? '') || EXCEPTIONS.some(({ keys }) => keys.test(key));
}

/** Leaves of the attributes of a span, its events and its links. */
export function leavesOfSpan({ attributes = {}, events = [] }: SpanInput): Leaf[] {
  const all = [attributes, ...events.map((event) => event.attributes ?? {})];
  return all.flatMap((values) =>
    Object.entries(values).flatMap(([key, value]) => [...leavesOf(value as JsonValue, [key])]),
  );
}

/** A log record with its resource and its scope. */
export interface SentRecord {
  readonly body: JsonValue;
  readonly attributes: Record<string, unknown>;
  readonly resource: Record<string, unknown>;
  readonly scope: { readonly name: string; readonly version: string };
  readonly severityNumber?: number;
  readonly severityText?: string;
}

/** Leaves of a log record: of its body, its attributes, its severity, its resource and its scope. */
export function leavesOfRecord({ body, attributes, resource, scope, ...severity }: SentRecord): Leaf[] {
  const { severityNumber = null, severityText = null } = severity;
  return [
    ...leavesOfSpan({ attributes }),
    ...leavesOf(body, ['body']),
    ...Object.entries(resource).flatMap(([key, value]) => [...leavesOf(value as JsonValue, [key])]),
    ...leavesOf({ ...scope, severityNumber, severityText }, ['record']),
  ];
}

/** Leaves that are in no event and in no session of the result. */
export function lostLeaves(leaves: readonly Leaf[], { events, sessions }: MappedTraces): Leaf[] {
  const texts: string[] = [];
  collect([...events, ...sessions], texts);
  const exact = new Set(texts);
  const isFound = (text: string) => exact.has(text) || texts.some((stored) => stored.includes(text));
  return leaves.filter(({ value }) => !spellingsOf(value).some(isFound));
}

/** The value as text; an id in lower case, a number as JavaScript writes it, a quoted text without its quotes. */
function spellingsOf(value: string | number | bigint | boolean): string[] {
  const text = String(value);
  const quoted = /^"(.*)"$/.exec(text.trim())?.[1];
  const number = Number(text);
  return [
    text,
    text.trim(),
    text.toLowerCase(),
    ...(quoted === undefined ? [] : [quoted]),
    ...(text.trim() !== '' && Number.isFinite(number) ? [String(number)] : []),
  ];
}

function collect(value: JsonValue, texts: string[]): void {
  const inner = parsed(value);
  if (Array.isArray(inner)) for (const item of inner) collect(item, texts);
  else if (isJsonObject(inner)) for (const item of Object.values(inner)) collect(item, texts);
  else if (inner !== null) texts.push(String(inner));
}
