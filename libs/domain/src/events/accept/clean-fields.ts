import { validationError } from '@assay/errors';
import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '../../json.js';
import type { Steps } from '../../steps.js';
import type { EventShape } from '../event-shape.js';
import { CHUNK_LENGTH, chunksOfText } from '../../text-chunks.js';
import { cleanString } from './clean-string.js';

/** Values between two steps: a fraction of a millisecond. */
const STEP_VALUES = 1_000;

/**
 * Returns the declared texts and objects of an event or an update with clean text, in steps when they are long; absent fields stay
 * absent. `path` precedes the names of fields in errors.
 * @throws AppError `VALIDATION_ERROR` naming the object with a key that contains U+0000
 */
export function* cleanFieldsSteps<Fields extends object>(
  fields: Fields,
  path: string,
  shape: EventShape,
): Steps<Fields> {
  const clean = { ...fields } as Record<string, JsonValue | undefined>;
  const cleaning = new Cleaning();
  for (const { name } of shape.fields) {
    const value = clean[name];
    if (value !== undefined) clean[name] = yield* cleaning.value(value, `${path}${name}`);
  }
  return clean as Fields;
}

class Cleaning {
  private values = 0;

  *value(value: JsonValue, path: string): Steps<JsonValue> {
    this.values += 1;
    if (this.values % STEP_VALUES === 0) yield;
    if (typeof value === 'string')
      return value.length > CHUNK_LENGTH ? yield* longText(value) : cleanString(value);
    if (Array.isArray(value)) return yield* this.items(value, path);
    return isJsonObject(value) ? yield* this.object(value, path) : value;
  }

  private *items(items: readonly JsonValue[], path: string): Steps<JsonValue[]> {
    const clean: JsonValue[] = [];
    for (const [index, item] of items.entries()) clean.push(yield* this.value(item, `${path}[${index}]`));
    return clean;
  }

  private *object(object: JsonObject, path: string): Steps<JsonObject> {
    const clean: JsonObject = {};
    for (const key of Object.keys(object)) {
      if (key.includes('\0')) throw validationError(`${path} must not have a key that contains U+0000`);
      const value = yield* this.value(object[key] as JsonValue, `${path}.${key}`);
      setOwn(clean, cleanString(key), value);
    }
    return clean;
  }
}

function* longText(text: string): Steps<string> {
  const parts: string[] = [];
  for (const chunk of chunksOfText(text)) {
    parts.push(cleanString(chunk));
    yield;
  }
  return parts.join('');
}
