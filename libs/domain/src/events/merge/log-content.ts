import { isJsonObject, type JsonValue } from '../../json.js';

/**
 * A message of a log record. Orders are texts, compared as such, whose first digit is the rank: only messages
 * of the lowest rank are shown. Of two pieces with the same identity the lower order counts, because a record
 * can be sent again in another request.
 */
export interface LogPiece {
  readonly order: string;
  readonly message: JsonValue;
}

/**
 * What log records state about an event. Every part is a set, so joining is commutative, associative and
 * idempotent: neither the order of arrival nor repetition matters.
 */
export interface LogContent {
  /** Messages of `inputs.chat_history`, by identity. */
  readonly messages: ReadonlyMap<string, LogPiece>;
  /** Messages of the outputs, by identity. */
  readonly choices: ReadonlyMap<string, LogPiece>;
  /** Parts of records that are no messages, of `metadata.log_events`, by identity. */
  readonly events: ReadonlyMap<string, LogPiece>;
  /** Distinct values by path (`config.model`, `otel.resource`), sorted by their text. */
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  /** Distinct severities of the records, sorted by their text. */
  readonly severities: readonly JsonValue[];
}

/** Joins the contents of two groups of log records. */
export function joinLogContent(one: LogContent, other: LogContent): LogContent {
  return {
    messages: joinPieces(one.messages, other.messages),
    choices: joinPieces(one.choices, other.choices),
    events: joinPieces(one.events, other.events),
    values: joinValues(one.values, other.values),
    severities: joinDistinct(one.severities, other.severities),
  };
}

function joinPieces(one: LogContent['messages'], other: LogContent['messages']): LogContent['messages'] {
  const joined = new Map(one);
  for (const [id, piece] of other) {
    const known = joined.get(id);
    if (known === undefined || piece.order < known.order) joined.set(id, piece);
  }
  return joined;
}

function joinValues(one: LogContent['values'], other: LogContent['values']): LogContent['values'] {
  const joined = new Map(one);
  for (const [path, values] of other) joined.set(path, joinDistinct(joined.get(path) ?? [], values));
  return joined;
}

/** Records of one request share their resource: one object is one value without looking at its text. */
function joinDistinct(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const isSame = one.length === other.length && one.every((value, index) => value === other[index]);
  return isSame ? one : distinctValues([...one, ...other]);
}

/** Returns each value once, sorted by text. */
export function distinctValues(values: readonly JsonValue[]): JsonValue[] {
  if (values.length < 2) return [...values];
  const byText = new Map(values.map((value) => [sortedText(value), value]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

/** JSON text with sorted keys: equal values have equal texts. */
export function sortedText(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: JsonValue) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
