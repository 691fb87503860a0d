import type { listDeadLetters } from '@assay/contracts';
import type { EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';

const AT_MOST = 1_000;

/** Shows what was set aside and why; the values stay where they are. */
export function makeListDeadLetters(deps: {
  log: Pick<EventLog, 'deadLetters'>;
}): Operation<typeof listDeadLetters> {
  return async () => {
    const letters = await deps.log.deadLetters(AT_MOST);
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
