import type { DeadLetter, EventLog } from './event-log.js';

const PAGE_SIZE = 1_000;

/** Which dead letters to take. */
export interface DeadLetterSelection {
  /** Maximum number of letters, oldest first. */
  readonly limit: number;
  /** All by default. */
  readonly matches?: (letter: DeadLetter) => boolean;
}

type DeadLetterLog = Pick<EventLog, 'deadLetters' | 'restoreDeadLetters' | 'dropDeadLetters'>;

/**
 * Returns the identity of a dead letter, which stays the same when the letter is moved: group, epoch, partition and
 * offset of its record.
 */
export function deadLetterId({
  reason,
  partition,
  offset,
}: Pick<DeadLetter, 'reason' | 'partition' | 'offset'>): string {
  return [reason.group, reason.epoch ?? 0, partition, offset].join('-');
}

/**
 * Passes the selected letters to `take`, page by page, and deletes those of a page once `take` has resolved. A log only
 * drops its oldest letters, so those that are not selected and older than the last selected one are stored again behind
 * the newest. An interruption loses no letter, and may leave one twice.
 * @returns the number of letters that were taken
 * @throws AppError `UNAVAILABLE`; letters that were not taken are still stored
 */
export async function takeDeadLetters(
  log: DeadLetterLog,
  { limit, matches = () => true }: DeadLetterSelection,
  take: (letters: readonly DeadLetter[]) => Promise<void>,
): Promise<number> {
  const through = await lastSelected(log, { limit, matches });
  let taken = 0;
  while (through !== undefined && taken < limit) {
    const page = (await log.deadLetters(PAGE_SIZE)).filter(({ id }) => id <= through);
    const last = page.at(-1);
    if (last === undefined) break;
    const selected = page.filter(matches);
    const others = page.filter((letter) => !selected.includes(letter));
    if (selected.length > 0) await take(selected);
    if (others.length > 0) await log.restoreDeadLetters(others);
    await log.dropDeadLetters(last.id);
    taken += selected.length;
  }
  return taken;
}

/** Deletes the selected letters. @returns their number @throws AppError `UNAVAILABLE` */
export function removeDeadLetters(log: DeadLetterLog, selection: DeadLetterSelection): Promise<number> {
  return takeDeadLetters(log, selection, () => Promise.resolve());
}

/** Passes the letters behind `after`, oldest first, to `visit` until it returns false or there are no more. */
export async function eachDeadLetter(
  log: Pick<EventLog, 'deadLetters'>,
  after: number,
  visit: (letter: DeadLetter) => boolean,
): Promise<void> {
  for (let position = after; ;) {
    const page = await log.deadLetters(PAGE_SIZE, position);
    const last = page.at(-1);
    if (last === undefined || !page.every(visit)) return;
    position = last.id;
  }
}

/** Returns the `id` of the last letter to take; undefined if there is none. */
async function lastSelected(
  log: DeadLetterLog,
  { limit, matches }: Required<DeadLetterSelection>,
): Promise<number | undefined> {
  let left = limit;
  let last: number | undefined;
  await eachDeadLetter(log, -1, (letter) => {
    if (left > 0 && matches(letter)) {
      last = letter.id;
      left -= 1;
    }
    return left > 0;
  });
  return last;
}
