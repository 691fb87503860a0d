import { isJsonObject, isRawText, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { parseContainer } from '../json/parse-json.js';

/** Look-ups that compare text by text; from here on a set costs less than comparing. */
const MAX_COMPARED = 8;

/**
 * The leaf values of an event, for finding what an attribute carries beyond them. Texts count as stored also
 * as a line of a longer text, numbers as their text, and JSON text by the values inside it.
 */
export class StoredValues {
  /** Texts as they are; most spans look up only one or two, for which hashing all texts costs more. */
  private readonly texts: string[] = [];
  /** Those among them that have several lines. */
  private readonly multiline: string[] = [];
  /** All texts and lines, once there were many look-ups. */
  private known: Set<string> | undefined;
  private lookUps = 0;

  add(value: JsonValue): void {
    if (typeof value === 'string') this.addText(value);
    else if (Array.isArray(value)) for (const item of value) this.add(item);
    else if (isRawText(value)) this.addText(value.toString());
    else if (typeof value === 'object' && value !== null)
      for (const key in value) this.add(value[key] as JsonValue);
    else if (value !== null) this.push(String(value));
  }

  private addText(text: string): void {
    this.push(text);
    const inner = parseContainer(text);
    if (inner !== undefined) this.add(inner);
    else if (text.includes('\n')) this.pushLines(text);
  }

  private push(text: string): void {
    if (this.known === undefined) this.texts.push(text);
    else this.known.add(text);
  }

  private pushLines(text: string): void {
    if (this.known === undefined) this.multiline.push(text);
    else for (const line of text.split('\n')) this.known.add(line);
  }

  private has(text: string): boolean {
    if (this.known === undefined && ++this.lookUps > MAX_COMPARED) this.known = this.allTexts();
    if (this.known !== undefined) return this.known.has(text);
    return this.texts.includes(text) || this.multiline.some((lines) => isLineOf(text, lines));
  }

  private allTexts(): Set<string> {
    const known = new Set(this.texts);
    for (const text of this.multiline) for (const line of text.split('\n')) known.add(line);
    return known;
  }

  /**
   * The part of the value that is not stored: the value itself when none of it is, objects and lists without
   * their stored members otherwise; undefined when everything is stored.
   */
  rest(value: JsonValue): JsonValue | undefined {
    if (typeof value === 'string') return this.restOfText(value);
    if (Array.isArray(value)) return this.restOfList(value);
    if (isJsonObject(value)) return this.restOfObject(value);
    return value === null || this.has(String(value)) ? undefined : value;
  }

  private restOfText(text: string): JsonValue | undefined {
    if (text.trim() === '' || this.has(text)) return undefined;
    const inner = parseContainer(text);
    if (inner !== undefined) {
      const rest = this.rest(inner);
      return rest === inner ? text : rest;
    }
    return text.includes('\n') && text.split('\n').every((line) => line === '' || this.has(line))
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

/** Whether one of the lines of a text is this text. */
function isLineOf(line: string, lines: string): boolean {
  if (line.includes('\n')) return false;
  for (let at = lines.indexOf(line); at !== -1; at = lines.indexOf(line, at + 1)) {
    const end = at + line.length;
    if ((at === 0 || lines[at - 1] === '\n') && (end === lines.length || lines[end] === '\n')) return true;
  }
  return false;
}
