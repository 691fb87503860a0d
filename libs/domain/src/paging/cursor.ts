import { validationError } from '@assay/errors';
import type { JsonValue } from '../json.js';

/** Longest text of a cursor that is read. */
export const MAX_CURSOR_LENGTH = 4_000;

const ALPHABET = /^[A-Za-z0-9_-]+$/;

/**
 * Returns a position in a list as opaque text (base64url of JSON). `kind` names the list and its order, so that a
 * cursor is accepted only where it was issued.
 */
export function writeCursor(kind: string, position: readonly JsonValue[]): string {
  return Buffer.from(JSON.stringify([kind, ...position])).toString('base64url');
}

/**
 * Returns the position of a cursor that {@link writeCursor} wrote for the same `kind`.
 * @param name name of the parameter, for the error
 * @throws AppError `VALIDATION_ERROR` for any other text
 */
export function readCursor(kind: string, text: string, name = 'cursor'): readonly JsonValue[] {
  const [written, ...position] = parsed(text) ?? [];
  if (written === kind) return position;
  throw cursorError(name);
}

/** The error for a cursor that was not issued for this request. */
export function cursorError(name = 'cursor') {
  return validationError(`${name} must come from a previous page of the same list, with the same order`);
}

function parsed(text: string): readonly JsonValue[] | undefined {
  if (text.length > MAX_CURSOR_LENGTH || !ALPHABET.test(text)) return undefined;
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as JsonValue;
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
