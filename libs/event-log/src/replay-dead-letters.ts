import type { EventLog } from './event-log.js';

/** Dead letters that are read at a time. */
const AT_A_TIME = 100;

/**
 * Appends dead letters again, oldest first, with their own key, headers and value, and forgets each once it is durable.
 * Interrupted between the two, it appends a letter twice, which changes nothing: readers are idempotent by the event's id.
 * @param limit replays at most this many, so that letters that fail again at once do not keep it running
 * @returns how many were replayed
 * @throws AppError `UNAVAILABLE`; what was not replayed is still there
 */
export async function replayDeadLetters(log: EventLog, limit: number): Promise<number> {
  let replayed = 0;
  while (replayed < limit) {
    const letters = await log.deadLetters(Math.min(AT_A_TIME, limit - replayed));
    const last = letters.at(-1);
    if (last === undefined) break;
    await log.append(letters.map(({ key, value, headers }) => ({ key, value, headers })));
    await log.dropDeadLetters(last.id);
    replayed += letters.length;
  }
  return replayed;
}
