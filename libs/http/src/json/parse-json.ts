import { isUtf8 } from 'node:buffer';
import { decodeUtf8, markedInteger, parseExactJson, restoreIntegers, type JsonValue } from '@assay/domain';
import { validationError } from '@assay/errors';
import { runSync, type Steps } from '@assay/runtime';
import type { JsonCut } from './json-cuts.js';
import { findJsonPosition } from './json-position.js';
import { parsePiecesSteps } from './parse-pieces.js';
import { scanJsonSteps, type JsonLimits, type LargeInteger, type ScannedJson } from './scan-json.js';

/** What precedes the digits of a marked integer. */
const INTEGER_PREFIX = markedInteger('').slice(0, -1);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A JSON body that was checked. */
interface CheckedJson extends ScannedJson {
  readonly text: Buffer;
}

/**
 * Checks a JSON body before it is parsed: UTF-8, limits of its structure, finite numbers. Removes a byte-order mark.
 * @throws AppError `VALIDATION_ERROR`
 */
function* checkSteps(bytes: Buffer, limits?: JsonLimits): Steps<CheckedJson> {
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (text.length === 0) throw validationError('body is empty');
  if (!isUtf8(text)) throw validationError('body is not valid UTF-8');
  return { text, ...(yield* scanJsonSteps(text, limits)) };
}

/**
 * Checks a JSON body as {@link parseJson} does, for a decoder that parses it. Integers that a number does not hold digit for
 * digit are in quotes in the result.
 * @throws AppError `VALIDATION_ERROR`
 */
export function* checkJsonSteps(bytes: Buffer, limits?: JsonLimits): Steps<Buffer> {
  const { text, largeIntegers } = yield* checkSteps(bytes, limits);
  return yield* withIntegers(text, largeIntegers, '"');
}

/**
 * Parses a JSON body. Integers that a number does not hold digit for digit are of type `bigint`.
 * @throws AppError `VALIDATION_ERROR` with the position of the fault, never its text
 */
export function parseJson(bytes: Buffer): unknown {
  return runSync(parseJsonSteps(bytes));
}

/** Like {@link parseJson}, in steps: yields while the text is checked, before each piece of it is parsed and afterwards. */
export function* parseJsonSteps(bytes: Buffer): Steps<unknown> {
  const { text, largeIntegers, cuts } = yield* checkSteps(bytes);
  const marked = yield* withIntegers(text, largeIntegers, INTEGER_PREFIX);
  const parsed = yield* parseMarkedSteps(marked, movedCuts(cuts, largeIntegers), text);
  yield;
  if (largeIntegers.length === 0) return parsed;
  const restored = restoreIntegers(parsed);
  yield;
  return restored;
}

function* parseMarkedSteps(marked: Buffer, cuts: readonly JsonCut[], text: Buffer): Steps<JsonValue> {
  try {
    if (cuts.length > 0) return yield* parsePiecesSteps(marked, cuts);
    yield;
    return JSON.parse(decodeUtf8(marked)) as JsonValue;
  } catch (cause) {
    throw cause instanceof SyntaxError ? syntaxError(text, cause) : cause;
  }
}

/** Returns the cuts at the offsets that they have when large integers are marked. */
function movedCuts(cuts: readonly JsonCut[], largeIntegers: readonly LargeInteger[]): readonly JsonCut[] {
  if (largeIntegers.length === 0) return cuts;
  let marked = 0;
  return cuts.map(({ offset, open }) => {
    while ((largeIntegers[marked]?.start ?? Infinity) < offset) marked++;
    return { offset: offset + marked * (INTEGER_PREFIX.length + 1), open };
  });
}

/** Like {@link parseJson} without the scan: for the JSON of another service of the deployment, which is bounded by its size only. */
export function parseUnscannedJson(bytes: Buffer): unknown {
  try {
    return parseExactJson(decodeUtf8(bytes));
  } catch (cause) {
    throw syntaxError(bytes, cause);
  }
}

/** Integers that are written in one step: about a millisecond. */
const STEP_INTEGERS = 10_000;
const QUOTE = 0x22;

/**
 * Returns the text with a text in place of each large integer: its digits behind `prefix`, which begins with a quote. The text
 * itself when it has none.
 */
function* withIntegers(text: Buffer, largeIntegers: readonly LargeInteger[], prefix: string): Steps<Buffer> {
  if (largeIntegers.length === 0) return text;
  const written = Buffer.allocUnsafe(text.length + largeIntegers.length * (prefix.length + 1));
  let [at, copied] = [0, 0];
  for (const [index, { start, end }] of largeIntegers.entries()) {
    at += text.copy(written, at, copied, start);
    at += written.write(prefix, at, 'latin1');
    at += text.copy(written, at, start, end);
    written[at++] = QUOTE;
    copied = end;
    if (index % STEP_INTEGERS === STEP_INTEGERS - 1) yield;
  }
  text.copy(written, at, copied);
  return written;
}

function syntaxError(text: Buffer, cause: unknown) {
  const { offset, path } = findJsonPosition(text);
  const inside = path === '' ? '' : `, in ${path}`;
  const fault = offset >= text.length ? 'body ends in the middle of its JSON' : 'body is not valid JSON';
  return validationError(`${fault}, at byte ${offset}${inside}`, { cause });
}
