import { cleanString, isJsonObject, setOwn, type JsonValue } from '@assay/domain';

/** Cleans every string and key of a value, see {@link cleanString}. The reader of the value bounds its depth. */
export function cleanValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (!isJsonObject(value)) return value;
  const clean = {};
  for (const key of Object.keys(value)) setOwn(clean, cleanString(key), cleanValue(value[key] as JsonValue));
  return clean;
}
