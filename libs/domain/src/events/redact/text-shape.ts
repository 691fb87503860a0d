import type { TextShape } from '../event-field.js';
import { isUuid } from '../identity/uuid-text.js';

/** Tests of a text: whether it looks like what its name promises. Each bounds the length. */
const TEXT_SHAPES: Readonly<Record<TextShape, (text: string) => boolean>> = {
  id: isId,
  token: (text: string) => TOKEN.test(text),
  number: (text: string) => NUMBER.test(text),
  name: isName,
};

const HEX_OR_DECIMAL = /^(?:[0-9a-f]{16,64}|[0-9]{1,20})$/i;
const EXTERNAL = 'EXT-';
/** An at sign is followed by a digit, as in `model@20240620`: an e-mail address is no token. */
const TOKEN = /^[A-Za-z0-9_](?:[A-Za-z0-9._:/+()[\]-]|@(?=[0-9])){0,99}$/;
const NUMBER = /^-?[0-9]{1,15}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,3})?$/i;
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const MAX_NAME_LENGTH = 200;
const MAX_KEY_LENGTH = 100;

/** Returns whether the text has the shape. */
export function hasShape(text: string, shape: TextShape): boolean {
  return TEXT_SHAPES[shape](text);
}

/** Returns whether a key of an object may leave: one line of up to 100 characters. */
export function isBoundedKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && !CONTROL_CHARACTER.test(key);
}

function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && !CONTROL_CHARACTER.test(text);
}

function isId(text: string): boolean {
  const id = text.startsWith(EXTERNAL) ? text.slice(EXTERNAL.length) : text;
  return isUuid(id) || HEX_OR_DECIMAL.test(id);
}
