import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '@assay/domain';
import { validationError } from '@assay/errors';
import { runSync, type Steps } from '@assay/runtime';
import { findJsonPosition } from './json-position.js';
import { scanJsonSteps, type JsonLimits } from './scan-json.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Checks a JSON body before it is parsed: UTF-8, limits of its structure, finite numbers. Removes a byte-order mark.
 * @throws AppError `VALIDATION_ERROR`
 */
export function* checkJsonSteps(bytes: Buffer, limits?: JsonLimits): Steps<Buffer> {
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (text.length === 0) throw validationError('body is empty');
  if (!isUtf8(text)) throw validationError('body is not valid UTF-8');
  yield* scanJsonSteps(text, limits);
  return text;
}

/** Parses a JSON body. @throws AppError `VALIDATION_ERROR` with the position of the fault, never its text */
export function parseJson(bytes: Buffer): unknown {
  return runSync(parseJsonSteps(bytes));
}

/** Like {@link parseJson}, in steps: yields while the text is checked, before it is parsed and afterwards. */
export function* parseJsonSteps(bytes: Buffer): Steps<unknown> {
  const text = yield* checkJsonSteps(bytes);
  const characters = decodeUtf8(text);
  yield;
  const parsed = parseText(characters, text);
  yield;
  return parsed;
}

/** Like {@link parseJson} without the scan: for the JSON of another service of the deployment, which is bounded by its size only. */
export function parseUnscannedJson(bytes: Buffer): unknown {
  return parseText(decodeUtf8(bytes), bytes);
}

function parseText(characters: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(characters) as unknown;
  } catch (cause) {
    throw syntaxError(bytes, cause);
  }
}

function syntaxError(text: Buffer, cause: unknown) {
  const { offset, path } = findJsonPosition(text);
  const inside = path === '' ? '' : `, in ${path}`;
  const fault = offset >= text.length ? 'body ends in the middle of its JSON' : 'body is not valid JSON';
  return validationError(`${fault}, at byte ${offset}${inside}`, { cause });
}
