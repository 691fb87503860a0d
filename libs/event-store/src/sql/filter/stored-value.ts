import {
  ANY_ITEM,
  EVENT_SHAPE,
  candidatesOf,
  filterPath,
  namesWhere,
  type EventPath,
  type NamedField,
  type PathPart,
} from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import { parsable } from './parsable-json.js';

/** Columns of the objects in the payload table. */
const PAYLOAD_FIELDS: readonly string[] = namesWhere(EVENT_SHAPE.fields, ({ payload }) => payload);

/** Fields whose text is JSON. */
const JSON_FIELDS: readonly string[] = namesWhere(
  EVENT_SHAPE.fields,
  ({ type }) => type === 'object' || type === 'textList',
);

/** Whether the text of a field is the JSON of an object or a list. */
export function isJsonField(name: string): boolean {
  return JSON_FIELDS.includes(name);
}

/** Name of a session that was sent beside the name of its event; empty if there is none. */
const SENT_NAME =
  "if(JSONType(metadata, 'session_name') = 'String', JSONExtractString(metadata, 'session_name'), '')";

/** Text of the columns that are not text. Numbers read as JSON writes them. */
const TEXT_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EVENT_SHAPE.fields.map((field) => [field.name, columnAsText(field)])),
  session_name: `if(event_type = 'session', toNullable(if(${SENT_NAME} = '', toString(event_name), ${SENT_NAME})), NULL)`,
};

/**
 * Returns the number of a column as responses contain it: a missing end or duration is derived from the other.
 */
export function numberOf(column: string): string {
  if (column === 'end_time') return 'ifNull(end_time, start_time + duration)';
  return column === 'duration' ? 'ifNull(duration, end_time - start_time)' : column;
}

function columnAsText({ name, type }: NamedField): string {
  switch (type) {
    case 'uuid':
      return `toString(${name})`;
    case 'textList':
      return `toJSONString(${name})`;
    case 'number':
    case 'numberOrNull':
      return jsonNumber(`toString(${numberOf(name)})`);
    default:
      return name;
  }
}

/** Location of the value of a filter's field in the tables. */
export interface StoredValue {
  readonly path: EventPath;
  readonly inPayload: boolean;
  /** Key of the leaf in `attrs` and `nums`; undefined for a path with brackets, and for a field that is no path into an object. */
  readonly leaf?: string;
}

/** Undefined when no event has such a field. */
export function storedValue(field: string): StoredValue | undefined {
  const path = filterPath(field);
  if (path === undefined) return undefined;
  const inPayload = PAYLOAD_FIELDS.includes(path.root);
  const hasLeaf = path.isNested && !field.includes('[') && !BELOW_COUNT.test(field);
  return hasLeaf ? { path, inPayload, leaf: field } : { path, inPayload };
}

/** Counts that a session always derives (`withTotals` of the domain): what a client sent below such a key is in no response of a session. */
const COUNTS: readonly PathPart[] = ['num_events', 'num_model_events', 'num_errors'];
const BELOW_COUNT = new RegExp(`^metadata\\.(${COUNTS.join('|')})[.[]`);

/**
 * The value as text, from the stored JSON: a string is itself, anything else its compact JSON; null when it
 * is absent or null. Of several candidates the first that is neither absent nor null counts.
 */
export function exactText(stored: StoredValue, binder: Binder): string {
  const { path } = stored;
  if (!path.isNested) return TEXT_OF[path.root] ?? path.root;
  return `arrayMap(r -> ${textOfRaw('r')}, [${rawValue(stored, binder)}])[1]`;
}

/** As {@link exactText}, but null for a list and an object. A text that looks like one is a text. */
export function exactScalar(stored: StoredValue, binder: Binder): string {
  if (!stored.path.isNested) return exactText(stored, binder);
  const scalar = `if(startsWith(r, '{') OR startsWith(r, '['), NULL, ${textOfRaw('r')})`;
  return `arrayMap(r -> ${scalar}, [${rawValue(stored, binder)}])[1]`;
}

/** As {@link exactText}, of all values of a path to any item of a list: a list of texts without the absent ones. */
export function exactTexts(stored: StoredValue, binder: Binder): string {
  return `arrayMap(r -> ${textOfRaw('r')}, ${rawValues(stored, binder)})`;
}

/** The list of the values as JSON: one at most, unless the path leads to any item of a list. */
export function rawValues(stored: StoredValue, binder: Binder): string {
  if (!stored.path.isMany) return `arrayFilter(r -> r != '', [${rawValue(stored, binder)}])`;
  const lists = [...candidatesOf(stored.path)].map(
    (parts) =>
      `arrayFilter(r -> r NOT IN ('', 'null'), ${rawItems(jsonOf(stored.path, parts), parts, binder)})`,
  );
  return `arrayFirst(l -> notEmpty(l), [${lists.join(', ')}])`;
}

/** The JSON of the value; empty when it is absent. */
function rawValue({ path }: StoredValue, binder: Binder): string {
  const raw = [...candidatesOf(path)].map((parts) => rawAt(jsonOf(path, parts), parts, binder));
  return `arrayFirst(r -> r NOT IN ('', 'null'), [${raw.join(', ')}])`;
}

/** The JSON that a candidate of a path begins at. */
function jsonOf({ root }: EventPath, [first = '', ...rest]: readonly PathPart[]): string {
  const json = TEXT_OF[root] ?? root;
  const isHidden = root === 'metadata' && COUNTS.includes(first) && rest.length > 0;
  return isHidden ? `if(event_type = 'session', '{}', ${json})` : json;
}

/** The JSON at a path without {@link ANY_ITEM}; empty when it is absent. The engine takes an index of an object for a key. */
function rawAt(json: string, parts: readonly PathPart[], binder: Binder): string {
  if (parts.length === 0) return json;
  const steps = parts.map((part) => stepOf(part, binder));
  const lists = parts.flatMap((part, index) =>
    typeof part === 'number' ? [`JSONType(${[json, ...steps.slice(0, index)].join(', ')}) = 'Array'`] : [],
  );
  const raw = `JSONExtractRaw(${[json, ...steps].join(', ')})`;
  return lists.length === 0 ? raw : `if(${lists.join(' AND ')}, ${raw}, '')`;
}

/** The engine counts items from 1. */
function stepOf(part: PathPart, binder: Binder): string {
  if (typeof part === 'string') return binder.text(part);
  return String(typeof part === 'number' && part >= 0 ? part + 1 : Number(part));
}

/** The list of the JSON at all items of a path. */
function rawItems(json: string, parts: readonly PathPart[], binder: Binder): string {
  const at = parts.indexOf(ANY_ITEM);
  if (at < 0) return `[${rawAt(json, parts, binder)}]`;
  const list = rawAt(json, parts.slice(0, at), binder);
  const raw = `JSONExtractArrayRaw(${at === 0 ? list : parsable(list)})`;
  const rest = parts.slice(at + 1);
  if (rest.length === 0) return raw;
  const name = `item_${rest.length}`;
  const items = `arrayMap(r -> ${parsable('r')}, ${raw})`;
  if (!rest.includes(ANY_ITEM)) return `arrayMap(${name} -> ${rawAt(name, rest, binder)}, ${items})`;
  return `arrayFlatten(arrayMap(${name} -> ${rawItems(name, rest, binder)}, ${items}))`;
}

export function textOfRaw(raw: string): string {
  return `multiIf(${raw} = '', NULL, startsWith(${raw}, '"'), JSONExtractString(${raw}), ${jsonNumber(raw)})`;
}

/** Numbers from 1e21 on: the engine writes `1e21` where JSON has `1e+21`. */
export function jsonNumber(text: string): string {
  return `replaceRegexpOne(${text}, '^(-?[0-9.]+)e([0-9]+)$', '\\\\1e+\\\\2')`;
}
