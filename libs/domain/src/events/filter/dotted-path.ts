import type { JsonValue } from '../../json.js';
import { valueUnder } from './value-under.js';

/**
 * A path of keys between dots, any of which may be part of a longer key: keys of user data, such as span attributes, may contain
 * dots. After the nested path `a → b → c`, the candidates are the paths with one literal key, in this order: at the start,
 * longest first (`a.b.c`, then `a.b → c`), then at the end, longest first (`a → b.c`). Filters are stored in large numbers: the
 * literal keys, whose number grows with the path, are parts of its text that are cut when they are looked up.
 */
export class DottedPath {
  readonly keys: readonly string[];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.keys = text.split('.');
  }

  /** Returns the keys of each candidate, in order. */
  *candidates(): Generator<readonly string[]> {
    const { keys } = this;
    yield keys;
    for (let count = keys.length; count >= 2; count--)
      yield [keys.slice(0, count).join('.'), ...keys.slice(count)];
    for (let count = 1; count <= keys.length - 2; count++)
      yield [...keys.slice(0, count), keys.slice(count).join('.')];
  }

  /** Returns the first value under a candidate that is neither absent nor null; null without one. */
  valueIn(root: JsonValue): JsonValue {
    const nested = this.#under(root, 0);
    if (nested !== null || this.keys.length < 2) return nested;
    return this.#underLiteralStart(root) ?? this.#underLiteralEnd(root);
  }

  /** Returns the characters of all literal keys. */
  literalCharacters(): number {
    let [characters, end] = [0, 0];
    for (const [index, key] of this.keys.entries()) {
      end += key.length;
      if (index >= 1) characters += end;
      if (index <= this.keys.length - 3) characters += this.#text.length - end - 1;
      end += 1;
    }
    return characters;
  }

  #underLiteralStart(root: JsonValue): JsonValue {
    let end = this.#text.length;
    for (let count = this.keys.length; count >= 2; count--) {
      const found = this.#under(valueUnder(root, this.#text.slice(0, end)), count);
      if (found !== null) return found;
      end -= (this.keys[count - 1]?.length ?? 0) + 1;
    }
    return null;
  }

  #underLiteralEnd(root: JsonValue): JsonValue {
    let [value, start] = [root, 0];
    for (const key of this.keys.slice(0, -2)) {
      value = valueUnder(value, key);
      if (value === null) return null;
      start += key.length + 1;
      const found = valueUnder(value, this.#text.slice(start));
      if (found !== null) return found;
    }
    return null;
  }

  /** Returns the value under the keys from this one on. */
  #under(value: JsonValue, from: number): JsonValue {
    let found = value;
    for (let index = from; index < this.keys.length && found !== null; index++)
      found = valueUnder(found, this.keys[index] ?? '');
    return found;
  }
}
