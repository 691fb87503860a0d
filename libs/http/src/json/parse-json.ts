import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '@assay/domain';
import { validationError } from '@assay/errors';
import { runSync, type Steps } from '@assay/runtime';
import { findJsonPosition } from './json-position.js';
import { scanJsonSteps, type JsonLimits } from './scan-json.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Checks a JSON body before anything parses it: UTF-8, size of its structure, finite numbers. A byte-order mark is taken off.
 * @throws AppError `VALIDATION_ERROR`
 */
export function* checkJsonSteps(bytes: Buffer, limits?: JsonLimits): Steps<Buffer> {
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (text.length === 0) throw validationError('body is empty');
  if (!isUtf8(text)) throw validationError('body is not valid UTF-8');
  yield* scanJsonSteps(text, limits);
  return text;
}

/** Parses a JSON body. @throws AppError `VALIDATION_ERROR` with the place of the fault, never its text */
export function parseJson(bytes: Buffer): unknown {
  return runSync(parseJsonSteps(bytes));
}

/** As {@link parseJson}; may be interrupted while the text is checked. */
export function* parseJsonSteps(bytes: Buffer): Steps<unknown> {
  const text = yield* checkJsonSteps(bytes);
  const characters = decodeUtf8(text);
  yield;
  return parsed(characters, text);
}

/** As {@link parseJson}, without the scan: for the JSON of another service of the deployment, which no limit but its size bounds. */
export function parseUnscannedJson(bytes: Buffer): unknown {
  return parsed(decodeUtf8(bytes), bytes);
}

function parsed(characters: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(characters) as unknown;
  } catch (cause) {
    throw syntaxError(bytes, cause);
  }
}

function syntaxError(text: Buffer, cause: unknown) {
  const { position, path } = findJsonPosition(text);
  const inside = path === '' ? '' : `, in ${path}`;
  const fault = position >= text.length ? 'body ends in the middle of its JSON' : 'body is not valid JSON';
  return validationError(`${fault}, at byte ${position}${inside}`, { cause });
}
