import type { replayDeadLetters } from '@assay/contracts';
import { replayDeadLetters as replay, type EventLog } from '@assay/event-log';
import type { Operation } from '@assay/http';

const AT_MOST = 1_000;

/** Puts what was set aside back on the log, with its own ids, so that replaying twice changes nothing. */
export function makeReplayDeadLetters(deps: { log: EventLog }): Operation<typeof replayDeadLetters> {
  return async ({ body }) => ({ success: true, replayed: await replay(deps.log, body.limit ?? AT_MOST) });
}
