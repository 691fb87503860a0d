import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { isNothing } from '../json/is-nothing.js';

/**
 * Tool calls of one message. Libraries send a call twice, as a part and in a list: calls with one id are one call that has the fields of
 * both, unless a field differs.
 */
export class MessageCalls {
  readonly list: JsonObject[] = [];
  private byId: Map<JsonValue, number> | undefined;

  add(call: JsonObject): void {
    const { id } = call;
    const at = id === undefined ? undefined : this.byId?.get(id);
    const both = at === undefined ? undefined : mergeCalls(this.list[at] as JsonObject, call);
    if (at !== undefined && both !== undefined) {
      this.list[at] = both;
      return;
    }
    if (id !== undefined && at === undefined) (this.byId ??= new Map()).set(id, this.list.length);
    this.list.push(call);
  }
}

function mergeCalls(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const both: JsonObject = { ...one };
  for (const key of Object.keys(other)) {
    const value = other[key] as JsonValue;
    const known = Object.hasOwn(both, key) ? (both[key] as JsonValue) : undefined;
    if (known === undefined || isNothing(known)) setOwn(both, key, value);
    else if (!isNothing(value) && !isEqual(known, value)) return undefined;
  }
  return both;
}

/** Equality of values; the order of the members of an object says nothing. */
function isEqual(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isEqual(item, other[at] as JsonValue));
  if (!isJsonObject(one) || !isJsonObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key] as JsonValue, other[key] as JsonValue))
  );
}
