import type { DeadLetterResponse, getDeadLetter } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { eachDeadLetter, type EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';
import { selectDeadLetters } from './select-dead-letters.js';
import { toDeadLetterResponse } from './to-dead-letter-response.js';

/** Returns the origin and the reason of one dead letter, without its value. */
export function makeGetDeadLetter(deps: {
  log: Pick<EventLog, 'deadLetters'>;
}): Operation<typeof getDeadLetter> {
  return async ({ params }) => {
    const matches = selectDeadLetters({ ids: [params.dead_letter_id] });
    const found: DeadLetterResponse[] = [];
    await eachDeadLetter(deps.log, -1, (letter) => {
      if (matches(letter)) found.push(toDeadLetterResponse(letter));
      return found.length === 0;
    });
    if (found[0] === undefined) throw notFound('there is no such dead letter');
    return found[0];
  };
}
