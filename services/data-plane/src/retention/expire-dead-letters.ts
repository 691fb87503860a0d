import type { ProjectRetention } from '@assay/control-plane-client';
import { defaultCutoff } from '@assay/domain';
import { removeDeadLetters, type EventLog } from '@assay/event-log';
import type { RunInOrder } from '../shared/run-in-order.js';

export interface ExpireDeadLettersDeps {
  readonly log: Pick<EventLog, 'deadLetters' | 'restoreDeadLetters' | 'dropDeadLetters'>;
  readonly inOrder: RunInOrder;
}

/** Letters of one call; the next one continues. */
const MAX_LETTERS = 10_000;

/**
 * Returns a function that deletes the dead letters that are older than the retention of their project, and returns their number. A letter
 * whose project is not known stays: no time is set for it.
 */
export function makeExpireDeadLetters({ log, inOrder }: ExpireDeadLettersDeps) {
  return async function expireDeadLetters(
    projects: readonly ProjectRetention[],
    now: number,
  ): Promise<number> {
    const cutoffs = new Map(
      projects.map(({ projectId, retention }) => [projectId, defaultCutoff(retention, now)]),
    );
    return inOrder(() =>
      removeDeadLetters(log, {
        limit: MAX_LETTERS,
        matches: ({ at, reason }) => at < (cutoffs.get(reason.project ?? '') ?? -Infinity),
      }),
    );
  };
}
