import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { Event } from '../event.js';
import { MERGED_BUCKETS } from '../event.js';
import type { Bucket } from '../event-shape.js';
import { distinctValues, sortedText, type LogContent, type LogPiece } from './log-content.js';
import { messagesOfOutputs, outputsOfMessages } from './output-messages.js';
import { withoutSeverity, withSeverity } from './recorded-severity.js';

/** Key of the metadata that states which values of an event are those of log records, and holds the others. */
export const LOG_CONTENT = 'log_content';

/** An event without the values that log records gave it, and those values. */
export interface SplitEvent {
  readonly own: Event;
  readonly log: LogContent;
}

/** Path of the message of an exception among the values of log records. */
export const ERROR_MESSAGE = 'error_message';

/** An object that log records can fill: one of the event, or the protocol's facts in its metadata. */
type Container = Bucket | typeof OTEL;

const OTEL = 'otel';
const CONTAINERS: readonly Container[] = ['inputs', 'outputs', OTEL, ...MERGED_BUCKETS];
const HISTORY = 'chat_history';
const FINISH_REASONS = 'finish_reasons';
const EVENTS = 'log_events';

/** Separates what log records gave an event from what it states itself; undefined without log records. */
export function splitLogContent(event: Event): SplitEvent | undefined {
  const stored = event.metadata[LOG_CONTENT];
  if (!isJsonObject(stored)) return undefined;
  const own: Event = { ...event, metadata: without(event.metadata, LOG_CONTENT) };
  if (Object.hasOwn(stored, 'error') && event.error === own.metadata[ERROR_MESSAGE])
    own.error = stored['error'] as string | null;
  const hidden = objectIn(stored, 'hidden');
  const messages = piecesIn(objectIn(hidden, 'messages'));
  const choices = piecesIn(objectIn(hidden, 'choices'));
  if (takePieces(messages, stored['messages'], listOf(own.inputs[HISTORY])))
    own.inputs = without(own.inputs, HISTORY);
  if (takePieces(choices, stored['choices'], messagesOfOutputs(own.outputs))) own.outputs = {};
  const events = new Map<string, LogPiece>();
  if (takePieces(events, stored['events'], listOf(own.metadata[EVENTS])))
    own.metadata = without(own.metadata, EVENTS);
  if (stored['derived'] === true) own.metadata = without(own.metadata, FINISH_REASONS);
  const values = new Map<string, readonly JsonValue[]>();
  for (const [path, others] of Object.entries(objectIn(hidden, 'values'))) values.set(path, listOf(others));
  for (const path of listOf(stored['paths'])) {
    const value = typeof path === 'string' ? takeValue(own, path) : undefined;
    if (value !== undefined)
      values.set(path as string, distinctValues([value, ...(values.get(path as string) ?? [])]));
  }
  const severities = [...listOf(hidden['severities'])];
  if (stored['severity'] !== true) return { own, log: { messages, choices, events, values, severities } };
  const separated = withoutSeverity(own);
  severities.push(separated.severity);
  return {
    own: separated.event,
    log: { messages, choices, events, values, severities: distinctValues(severities) },
  };
}

/** Takes the messages with their stored keys, unless their numbers differ: then an update has replaced them. */
function takePieces(
  pieces: Map<string, LogPiece>,
  stored: JsonValue | undefined,
  messages: readonly JsonValue[],
): boolean {
  const keys = typeof stored === 'string' ? stored.split(' ') : [];
  if (keys.length === 0 || keys.length !== messages.length) return false;
  for (const [index, key] of keys.entries()) addPiece(pieces, key, messages[index] as JsonValue);
  return true;
}

function piecesIn(stored: JsonObject): Map<string, LogPiece> {
  const pieces = new Map<string, LogPiece>();
  for (const [key, message] of Object.entries(stored)) addPiece(pieces, key, message);
  return pieces;
}

/** A stored key is the order and the identity of a piece, with a dash between them. */
function addPiece(pieces: Map<string, LogPiece>, key: string, message: JsonValue): void {
  const dash = key.indexOf('-');
  pieces.set(key.slice(dash + 1), { order: key.slice(0, dash), message });
}

function takeValue(event: Event, path: string): JsonValue | undefined {
  const [container, key] = partsOf(path);
  if (container === undefined) return undefined;
  const content = contentOf(event, container);
  const value = content[key];
  if (value !== undefined) setContent(event, container, without(content, key));
  return value;
}

function contentOf(event: Event, container: Container): JsonObject {
  return container === OTEL ? objectIn(event.metadata, OTEL) : event[container];
}

function setContent(event: Event, container: Container, content: JsonObject): void {
  if (container !== OTEL) event[container] = content;
  else if (isFilled(content)) event.metadata = { ...event.metadata, [OTEL]: content };
  else event.metadata = without(event.metadata, OTEL);
}

/**
 * Returns the event with what log records add to it. What the event states itself takes precedence; other
 * values of the log records are kept beside it, except those that it contains.
 */
export function withLogContent({ own, log }: SplitEvent): Event {
  const { event, isShown, hidden: severities } = withSeverity({ ...own }, log.severities);
  const messages = choose(log.messages, isFilled(own.inputs), listOf(own.inputs[HISTORY]));
  const choices = choose(log.choices, isFilled(own.outputs), messagesOfOutputs(own.outputs));
  const isFree = (container: Container) => {
    if (container === 'outputs') return choices.visible.length === 0 && !isFilled(own.outputs);
    if (container === OTEL) return isJsonObject(own.metadata[OTEL] ?? {});
    return container !== 'inputs' || !isFilled(own.inputs);
  };
  const { paths, hidden } = addValues(event, log.values, isFree);
  const stored: JsonObject = {};
  const message = event.metadata[ERROR_MESSAGE];
  const isRecorded = typeof message === 'string' && paths.includes(`metadata.${ERROR_MESSAGE}`);
  if (isRecorded && needsMessage(own)) {
    event.error = message;
    stored['error'] = own.error;
  }
  if (messages.visible.length > 0) {
    event.inputs = { ...event.inputs, [HISTORY]: messages.visible.map(([, message]) => message) };
    stored['messages'] = keysOf(messages.visible);
  }
  if (choices.visible.length > 0) {
    event.outputs = outputsOfMessages(choices.visible.map(([, message]) => message));
    stored['choices'] = keysOf(choices.visible);
    if (addFinishReasons(event, choices.visible)) stored['derived'] = true;
  }
  const events = sortedPieces(log.events);
  if (events.length > 0) {
    event.metadata = { ...event.metadata, [EVENTS]: events.map(([, part]) => part) };
    stored['events'] = keysOf(events);
  }
  if (paths.length > 0) stored['paths'] = paths;
  if (isShown) stored['severity'] = true;
  const parts = {
    messages: messages.hidden,
    choices: choices.hidden,
    values: hidden,
    severities: [...severities],
  };
  const kept = Object.entries(parts).filter(([, part]) => isFilled(part));
  if (kept.length > 0) stored['hidden'] = Object.fromEntries(kept);
  event.metadata = { ...event.metadata, [LOG_CONTENT]: stored };
  return event;
}

/** Whether an exception says more of the failure than the event itself: it has not arrived, or names only the type of its error. */
function needsMessage({ origin, error, metadata }: Event): boolean {
  if (error === null) return origin === 'synthesised';
  return error === 'error' || error === metadata['error_type'];
}

type KeyedMessage = readonly [key: string, message: JsonValue];

/** Separates the pieces that are visible, in order, from those that the event or a lower rank outranks. */
function choose(
  pieces: LogContent['messages'],
  isOutranked: boolean,
  own: readonly JsonValue[],
): { readonly visible: readonly KeyedMessage[]; readonly hidden: JsonObject } {
  const sorted = sortedPieces(pieces);
  const rank = isOutranked ? '' : sorted[0]?.[0].charAt(0);
  const visible = sorted.filter(([key]) => key.charAt(0) === rank);
  const known = new Set([...own, ...visible.map(([, message]) => message)].map(sortedText));
  const others = sorted.filter(([key, message]) => key.charAt(0) !== rank && !known.has(sortedText(message)));
  return { visible, hidden: Object.fromEntries(others) };
}

function sortedPieces(pieces: LogContent['messages']): KeyedMessage[] {
  return [...pieces]
    .map(([id, { order, message }]): KeyedMessage => [`${order}-${id}`, message])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function keysOf(visible: readonly KeyedMessage[]): string {
  return visible.map(([key]) => key).join(' ');
}

/** Adds the values whose paths are free. Returns these paths, and the other values. */
function addValues(event: Event, values: LogContent['values'], isFree: (container: Container) => boolean) {
  const paths: string[] = [];
  const hidden: JsonObject = {};
  for (const [path, all] of [...values].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [container, key] = partsOf(path);
    if (container === undefined) continue;
    const content = contentOf(event, container);
    const own = content[key];
    const [first, ...rest] = all;
    const isAdded = own === undefined && first !== undefined && isFree(container);
    if (isAdded) {
      setContent(event, container, { ...content, [key]: first });
      paths.push(path);
    }
    const known = own === undefined ? undefined : sortedText(own);
    const others = isAdded ? rest : all.filter((value) => sortedText(value) !== known);
    if (others.length > 0) hidden[path] = others;
  }
  return { paths, hidden };
}

/** Adds the finish reasons of the choices, unless others are known. */
function addFinishReasons(event: Event, choices: readonly KeyedMessage[]): boolean {
  const reasons = choices.flatMap(([, message]) => {
    const reason = isJsonObject(message) ? message['finish_reason'] : undefined;
    return typeof reason === 'string' ? [reason] : [];
  });
  if (reasons.length === 0 || event.metadata[FINISH_REASONS] !== undefined) return false;
  event.metadata = { ...event.metadata, [FINISH_REASONS]: reasons };
  return true;
}

function partsOf(path: string): [container: Container | undefined, key: string] {
  const dot = path.indexOf('.');
  const key = path.slice(dot + 1);
  const container = CONTAINERS.find((name) => name === path.slice(0, dot));
  return [key === '__proto__' ? undefined : container, key];
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...others } = object;
  return others;
}

function isFilled(content: JsonObject | readonly JsonValue[]): boolean {
  return Object.keys(content).length > 0;
}
