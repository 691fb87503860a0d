import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';

/**
 * Returns the object under a key, with the fields beside it that it does not have; the value itself when there is no object
 * under the key. Where both have a field, the inner one counts unless it is empty, and the other is kept under `outer`.
 */
export function mergeInner(value: JsonObject, key: string): JsonObject {
  if (!isJsonObject(value[key])) return value;
  const { [key]: inner, ...outer } = value;
  return merged(outer, inner as JsonObject);
}

function merged(outer: JsonObject, inner: JsonObject): JsonObject {
  const all = { ...outer, ...inner };
  const replaced: JsonObject = {};
  for (const key of Object.keys(outer)) {
    if (!Object.hasOwn(inner, key)) continue;
    const [own, within] = [outer[key] as JsonValue, inner[key] as JsonValue];
    if (isEmpty(own) || JSON.stringify(own) === JSON.stringify(within)) continue;
    if (isEmpty(within)) setOwn(all, key, own);
    else setOwn(replaced, key, own);
  }
  return Object.keys(replaced).length === 0 ? all : { ...all, outer: replaced };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '';
}
