import { AppError } from '@assay/errors';
import type { JsonValue } from '../../json.js';
import { jsonPiecesSteps } from '../../json-pieces.js';
import type { Steps } from '../../steps.js';
import { walkTexts, type ListedKeys } from './text-walk.js';

/** Maximum size of an event: 10 MB of decoded JSON. */
export const MAX_EVENT_BYTES = 10_485_760;

/**
 * Escapes of U+0000 and of surrogates in JSON text. An escaped backslash can look the same, which only costs
 * an unnecessary pass.
 */
const UNSTORABLE_IN_JSON = /\\u(?:0000|[dD][89a-fA-F])/;

/** What the texts of a value are like. */
export interface TextsOf {
  /** Whether some are such that not every store can keep them: U+0000 or an unpaired surrogate. */
  readonly needCleaning: boolean;
  /** Undefined unless the value has thousands of values, or texts that are as long. */
  readonly listed: ListedKeys | undefined;
}

/**
 * Looks at the texts of a value: a walk rules out that they need more, or their JSON shows what is in them and their size. In steps for
 * a value with many values or a long text.
 * @throws AppError `PAYLOAD_TOO_LARGE` naming `what` if its JSON is larger than `maxBytes`
 */
export function* textsOfSteps(value: object, what: string, maxBytes = MAX_EVENT_BYTES): Steps<TextsOf> {
  const { isSmallAndStorable, listed } = yield* walkTexts(value as JsonValue, maxBytes);
  if (isSmallAndStorable) return { needCleaning: false, listed };
  let [pieces, bytes, needCleaning] = [0, 0, false];
  const look = (piece: string) => {
    pieces += 1;
    bytes += Buffer.byteLength(piece);
    needCleaning ||= mayHoldUnstorable(piece);
  };
  yield* jsonPiecesSteps(value as JsonValue, look, listed);
  if (bytes > maxBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `${what} must not be larger than ${eventLimit(maxBytes)}`);
  return { needCleaning, listed: listed ?? (pieces > 1 ? new Map() : undefined) };
}

/** Returns the maximum size of an event for a sentence. */
export function eventLimit(maxBytes = MAX_EVENT_BYTES): string {
  const bytes = `${maxBytes} bytes of JSON`;
  return maxBytes === MAX_EVENT_BYTES ? `10 MB (${bytes})` : bytes;
}

/**
 * Returns whether JSON text may decode to strings with U+0000 or unpaired surrogates, which stores reject.
 */
export function mayHoldUnstorable(json: string): boolean {
  // Most texts have no such escape, and a search for two fixed characters is ten times faster than the
  // expression.
  return json.includes('\\u') && UNSTORABLE_IN_JSON.test(json);
}
