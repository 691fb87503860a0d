import type { listDeadLetters } from '@assay/contracts';
import { validationError } from '@assay/errors';
import { eachDeadLetter, type EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';
import { MAX_PER_CALL, selectDeadLetters } from './select-dead-letters.js';
import { toDeadLetterResponse } from './to-dead-letter-response.js';

/** Lists dead letters with the reason of each, without their values. */
export function makeListDeadLetters(deps: {
  log: Pick<EventLog, 'deadLetters'>;
}): Operation<typeof listDeadLetters> {
  return async ({ query }) => {
    const { limit = MAX_PER_CALL, cursor, ...filter } = query;
    const matches = selectDeadLetters(filter);
    // Values can be large: only what the response has of a letter is kept.
    const found: { readonly id: number; readonly response: ReturnType<typeof toDeadLetterResponse> }[] = [];
    await eachDeadLetter(deps.log, readCursor(cursor), (letter) => {
      if (matches(letter)) found.push({ id: letter.id, response: toDeadLetterResponse(letter) });
      return found.length <= limit;
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      dead_letters: page.map(({ response }) => response),
      next_cursor: found.length > limit && last ? String(last.id) : null,
    };
  };
}

/** @throws AppError `VALIDATION_ERROR` */
function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return -1;
  if (!/^\d{1,15}$/.test(cursor))
    throw validationError('cursor is not valid: send the next_cursor of the previous page');
  return Number(cursor);
}
