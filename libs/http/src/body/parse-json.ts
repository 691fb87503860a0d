import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '@assay/domain';
import { validationError } from '@assay/errors';
import { atOnce, type Pieces } from '@assay/runtime';
import { placeInJson } from './place-in-json.js';
import { scanningJson, type JsonLimits } from './scan-json.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Checks a JSON body before anything parses it: UTF-8, size of its structure, finite numbers. A byte-order mark is taken off.
 * @throws AppError `VALIDATION_ERROR`
 */
export function* checkingJson(bytes: Buffer, limits?: JsonLimits): Pieces<Buffer> {
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (text.length === 0) throw validationError('body is empty');
  if (!isUtf8(text)) throw validationError('body is not valid UTF-8');
  yield* scanningJson(text, limits);
  return text;
}

/** Parses a JSON body. @throws AppError `VALIDATION_ERROR` with the place of the fault, never its text */
export function parseJson(bytes: Buffer): unknown {
  return atOnce(parsingJson(bytes));
}

/** As {@link parseJson}; may be interrupted while the text is checked. */
export function* parsingJson(bytes: Buffer): Pieces<unknown> {
  const text = yield* checkingJson(bytes);
  const characters = decodeUtf8(text);
  yield;
  try {
    return JSON.parse(characters) as unknown;
  } catch (cause) {
    throw syntaxError(text, cause);
  }
}

function syntaxError(text: Buffer, cause: unknown) {
  const { position, path } = placeInJson(text);
  const inside = path === '' ? '' : `, in ${path}`;
  const fault = position >= text.length ? 'body ends in the middle of its JSON' : 'body is not valid JSON';
  return validationError(`${fault}, at byte ${position}${inside}`, { cause });
}
