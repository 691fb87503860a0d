import { isJsonObject, type JsonObject } from '@assay/domain';
import { parseJson } from './parse-json.js';

/** A dictionary as Python prints it, without texts that hold quotes or escapes. */
const PLAIN = /^\s*\{[\w\s{}[\]:,.'+-]*\}\s*$/;
const CONSTANTS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };

/** Reads a dictionary of names, numbers and short texts that Python printed; undefined for any other text. */
export function parsePythonDict(text: string): JsonObject | undefined {
  if (!PLAIN.test(text)) return undefined;
  const json = text
    .replaceAll(/(?<!')\b(?:None|True|False)\b(?!')/g, (name) => CONSTANTS[name] ?? name)
    .replaceAll("'", '"');
  const value = parseJson(json);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}
