import type { EventLog } from './event-log.js';

const BATCH_SIZE = 100;

/**
 * Appends dead letters again, oldest first, with their original key, headers and value, and deletes each once
 * it is durable. Interrupted between the two, it appends a letter twice, which changes nothing: readers are
 * idempotent.
 * @param limit maximum number to replay, so that letters that fail again immediately do not keep it running
 * @returns the number of replayed letters
 * @throws AppError `UNAVAILABLE`; letters that were not replayed are still stored
 */
export async function replayDeadLetters(log: EventLog, limit: number): Promise<number> {
  let replayed = 0;
  while (replayed < limit) {
    const letters = await log.deadLetters(Math.min(BATCH_SIZE, limit - replayed));
    const last = letters.at(-1);
    if (last === undefined) break;
    await log.append(letters.map(({ key, value, headers }) => ({ key, value, headers })));
    await log.dropDeadLetters(last.id);
    replayed += letters.length;
  }
  return replayed;
}
