import type { listDeadLetters, replayDeadLetters } from '@assay/contracts';
import { replayDeadLetters as replay, type EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';

const MAX_PER_CALL = 1_000;

/** Lists dead letters with the reason of each, without their values. */
export function makeListDeadLetters(deps: {
  log: Pick<EventLog, 'deadLetters'>;
}): Operation<typeof listDeadLetters> {
  return async () => {
    const letters = await deps.log.deadLetters(MAX_PER_CALL);
    return {
      dead_letters: letters.map(({ key, value, reason, partition, offset }) => ({
        event_id: key,
        group: reason.group,
        error_class: reason.errorClass,
        partition,
        offset,
        bytes: value.length,
      })),
    };
  };
}

/** Appends dead letters to the log again with their own ids, so that replaying twice changes nothing. */
export function makeReplayDeadLetters(deps: { log: EventLog }): Operation<typeof replayDeadLetters> {
  return async ({ body }) => ({
    success: true,
    replayed: await replay(deps.log, body.limit ?? MAX_PER_CALL),
  });
}
