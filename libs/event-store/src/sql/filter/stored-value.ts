import { EVENT_SHAPE, eventPath, namesWhere, type EventPath, type NamedField } from '@assay/domain';
import type { Binder } from '../engine/binder.js';

/** Columns of the objects in the payload table. */
const PAYLOAD_FIELDS: readonly string[] = namesWhere(EVENT_SHAPE.fields, ({ payload }) => payload);

/** Text of the columns that are not text. Numbers read as JSON writes them. */
const TEXT_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EVENT_SHAPE.fields.map((field) => [field.name, columnAsText(field)])),
  session_name: "if(event_type = 'session', toNullable(toString(event_name)), NULL)",
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
  /** Key of the leaf in `attrs` and `nums`; undefined for a field that is not a path into an object. */
  readonly leaf?: string;
}

/** Undefined when no event has such a field. */
export function storedValue(field: string): StoredValue | undefined {
  const path = eventPath(field);
  if (path === undefined) return undefined;
  const inPayload = PAYLOAD_FIELDS.includes(path.root);
  return path.candidates.length === 0 ? { path, inPayload } : { path, inPayload, leaf: field };
}

/**
 * The value as text, from the stored JSON: a string is itself, anything else its compact JSON; null when it
 * is absent or null. Of several candidates the first that is neither absent nor null counts.
 */
export function exactText({ path }: StoredValue, binder: Binder): string {
  if (path.candidates.length === 0) return TEXT_OF[path.root] ?? path.root;
  const raw = path.candidates.map(
    (keys) => `JSONExtractRaw(${[path.root, ...keys.map((key) => binder.text(key))].join(', ')})`,
  );
  return `arrayMap(r -> ${textOfRaw('r')}, [arrayFirst(r -> r NOT IN ('', 'null'), [${raw.join(', ')}])])[1]`;
}

function textOfRaw(raw: string): string {
  return `multiIf(${raw} = '', NULL, startsWith(${raw}, '"'), JSONExtractString(${raw}), ${jsonNumber(raw)})`;
}

/**
 * Numbers from 1e21 on: the engine writes `1e21` where JSON has `1e+21`. Within objects and arrays it stays
 * without the plus.
 */
export function jsonNumber(text: string): string {
  return `replaceRegexpOne(${text}, '^(-?[0-9.]+)e([0-9]+)$', '\\\\1e+\\\\2')`;
}
