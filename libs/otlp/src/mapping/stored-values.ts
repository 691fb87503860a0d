import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { parseContainer } from '../json/parse-json.js';
import { setOwn } from '../json/set-own.js';

/**
 * Set of the leaf values of an event, for finding what an attribute carries beyond them. Texts count as
 * stored also as a line of a longer text, numbers as their text, and JSON text by the values inside it.
 */
export class StoredValues {
  private readonly texts = new Set<string>();

  add(value: JsonValue): void {
    if (typeof value === 'string') this.addText(value);
    else if (Array.isArray(value)) for (const item of value) this.add(item);
    else if (isJsonObject(value)) for (const key of Object.keys(value)) this.add(value[key] as JsonValue);
    else if (value !== null) this.texts.add(String(value));
  }

  private addText(text: string): void {
    this.texts.add(text);
    const inner = parseContainer(text);
    if (inner !== undefined) this.add(inner);
    else if (text.includes('\n')) for (const line of text.split('\n')) this.texts.add(line);
  }

  /**
   * The part of the value that is not stored: the value itself when none of it is, objects and lists without
   * their stored members otherwise; undefined when everything is stored.
   */
  rest(value: JsonValue): JsonValue | undefined {
    if (typeof value === 'string') return this.restOfText(value);
    if (Array.isArray(value)) return this.restOfList(value);
    if (isJsonObject(value)) return this.restOfObject(value);
    return value === null || this.texts.has(String(value)) ? undefined : value;
  }

  private restOfText(text: string): JsonValue | undefined {
    if (text.trim() === '' || this.texts.has(text)) return undefined;
    const inner = parseContainer(text);
    if (inner !== undefined) {
      const rest = this.rest(inner);
      return rest === inner ? text : rest;
    }
    return text.includes('\n') && text.split('\n').every((line) => line === '' || this.texts.has(line))
      ? undefined
      : text;
  }

  private restOfList(list: readonly JsonValue[]): JsonValue | undefined {
    const rest = list.map((item) => this.rest(item));
    if (list.length > 0 && rest.every((item, index) => item === list[index])) return list as JsonValue;
    const left = rest.filter((item) => item !== undefined);
    return left.length === 0 ? undefined : left;
  }

  private restOfObject(object: JsonObject): JsonValue | undefined {
    const left: JsonObject = {};
    let isWhole = true;
    for (const key of Object.keys(object)) {
      const rest = this.rest(object[key] as JsonValue);
      if (rest !== undefined) setOwn(left, key, rest);
      isWhole = isWhole && rest === object[key];
    }
    if (Object.keys(left).length === 0) return undefined;
    return isWhole ? object : left;
  }
}
