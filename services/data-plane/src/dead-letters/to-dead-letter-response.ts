import type { DeadLetterResponse } from '@assay/contracts';
import { deadLetterId, type DeadLetter } from '@assay/event-log';

/** Returns the origin and the reason of a dead letter, without its value. */
export function toDeadLetterResponse(letter: DeadLetter): DeadLetterResponse {
  const { at, key, value, reason, partition, offset } = letter;
  return {
    id: deadLetterId(letter),
    at: new Date(at).toISOString(),
    project_id: reason.project ?? null,
    event_id: key,
    group: reason.group,
    error_class: reason.errorClass,
    partition,
    offset,
    bytes: value.length,
  };
}
