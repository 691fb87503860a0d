import { isUtf8 } from 'node:buffer';
import { decodeUtf8, markedInteger, parseExactJson, restoreIntegers, type JsonValue } from '@assay/domain';
import { validationError } from '@assay/errors';
import { runSync, type Steps } from '@assay/runtime';
import { findJsonPosition } from './json-position.js';
import { scanJsonSteps, type JsonLimits, type LargeInteger } from './scan-json.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A JSON body that was checked. */
interface CheckedJson {
  readonly text: Buffer;
  readonly largeIntegers: readonly LargeInteger[];
}

/**
 * Checks a JSON body before it is parsed: UTF-8, limits of its structure, finite numbers. Removes a byte-order mark.
 * @throws AppError `VALIDATION_ERROR`
 */
function* checkSteps(bytes: Buffer, limits?: JsonLimits): Steps<CheckedJson> {
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (text.length === 0) throw validationError('body is empty');
  if (!isUtf8(text)) throw validationError('body is not valid UTF-8');
  const largeIntegers = yield* scanJsonSteps(text, limits);
  return { text, largeIntegers };
}

/**
 * Checks a JSON body as {@link parseJson} does, for a decoder that parses it. Integers that a number does not hold digit for
 * digit are in quotes in the result.
 * @throws AppError `VALIDATION_ERROR`
 */
export function* checkJsonSteps(bytes: Buffer, limits?: JsonLimits): Steps<Buffer> {
  const { text, largeIntegers } = yield* checkSteps(bytes, limits);
  return withIntegers(text, largeIntegers, (digits) => `"${digits}"`);
}

/**
 * Parses a JSON body. Integers that a number does not hold digit for digit are of type `bigint`.
 * @throws AppError `VALIDATION_ERROR` with the position of the fault, never its text
 */
export function parseJson(bytes: Buffer): unknown {
  return runSync(parseJsonSteps(bytes));
}

/** Like {@link parseJson}, in steps: yields while the text is checked, before it is parsed and afterwards. */
export function* parseJsonSteps(bytes: Buffer): Steps<unknown> {
  const { text, largeIntegers } = yield* checkSteps(bytes);
  const characters = decodeUtf8(withIntegers(text, largeIntegers, markedInteger));
  yield;
  const parsed = parseText(characters, text, JSON.parse);
  yield;
  if (largeIntegers.length === 0) return parsed;
  const restored = restoreIntegers(parsed as JsonValue);
  yield;
  return restored;
}

/** Like {@link parseJson} without the scan: for the JSON of another service of the deployment, which is bounded by its size only. */
export function parseUnscannedJson(bytes: Buffer): unknown {
  return parseText(decodeUtf8(bytes), bytes, parseExactJson);
}

/** Returns the text with other texts in place of its large integers; the text itself when it has none. */
function withIntegers(
  text: Buffer,
  largeIntegers: readonly LargeInteger[],
  written: (digits: string) => string,
): Buffer {
  if (largeIntegers.length === 0) return text;
  const parts: Buffer[] = [];
  let copied = 0;
  for (const { start, end } of largeIntegers) {
    parts.push(text.subarray(copied, start), Buffer.from(written(text.toString('latin1', start, end))));
    copied = end;
  }
  parts.push(text.subarray(copied));
  return Buffer.concat(parts);
}

function parseText(characters: string, bytes: Buffer, parse: (text: string) => unknown): unknown {
  try {
    return parse(characters);
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
