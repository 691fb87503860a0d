import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@assay/errors';
import type { EventLog } from '@assay/event-log';
import { EVALUATE_GROUP, hasPassed } from '@assay/log-readers';

export interface UntilDecidedDeps {
  readonly log: Pick<EventLog, 'end' | 'position'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const POLL_INTERVAL_MS = 200;
const MAX_WAIT_MS = 30_000;

/**
 * Resolves when every change of a session that was appended before is known to the process that decides about the session: the
 * readers of events have reported it, and the reader of the session has the report.
 * @throws AppError `UNAVAILABLE` after 30 s
 */
export async function untilChangesAreKnown(deps: UntilDecidedDeps, signal: AbortSignal): Promise<void> {
  await untilDecided(deps, signal);
  await untilDecided(deps, signal);
}

/** Resolves when the readers have decided about everything that the log has now. */
async function untilDecided({ log, now }: UntilDecidedDeps, signal: AbortSignal): Promise<void> {
  const since = now();
  const target = await log.end();
  while (!hasPassed(await log.position(EVALUATE_GROUP), target)) {
    if (now() - since >= MAX_WAIT_MS) throw unavailable('the log is not decided about yet');
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}
