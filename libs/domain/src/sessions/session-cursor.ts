import { validationError } from '@assay/errors';
import { isUuid } from '../events/identity/uuid-text.js';

/** Position in a list of sessions that is ordered by start, then by id, both descending. */
export interface SessionCursor {
  /** Unix milliseconds. */
  readonly startTime: number;
  readonly sessionId: string;
}

/** Returns a cursor as text, such as `1795255200000_0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e`. */
export function writeSessionCursor({ startTime, sessionId }: SessionCursor): string {
  return `${startTime}_${sessionId}`;
}

/** Reads a cursor. @throws AppError `VALIDATION_ERROR` for text that {@link writeSessionCursor} did not write */
export function readSessionCursor(text: string): SessionCursor {
  const [start = '', sessionId = '', ...rest] = text.split('_');
  const startTime = Number(start);
  if (start === '' || !Number.isFinite(startTime) || !isUuid(sessionId) || rest.length > 0)
    throw validationError('cursor must be the next_cursor of a previous page');
  return { startTime, sessionId };
}
