import type { replayDeadLetters } from '@assay/contracts';
import { replayDeadLetters as replay, type EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';
import type { RunInOrder } from '../shared/run-in-order.js';
import { MAX_PER_CALL, selectDeadLetters } from './select-dead-letters.js';

/** Appends the selected dead letters to the log again with their own ids, so that replaying twice changes nothing. */
export function makeReplayDeadLetters({
  log,
  inOrder,
}: {
  readonly log: EventLog;
  readonly inOrder: RunInOrder;
}): Operation<typeof replayDeadLetters> {
  return async ({ body }) => {
    const { limit = MAX_PER_CALL, ...selection } = body;
    const replayed = await inOrder(() => replay(log, limit, selectDeadLetters(selection)));
    return { success: true, replayed };
  };
}
