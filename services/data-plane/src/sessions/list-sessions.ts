import type { listSessions } from '@assay/contracts';
import { acceptSessionRange, readSessionCursor, writeSessionCursor } from '@assay/domain';
import type { Operation } from '@assay/http';
import { eventKey } from '@assay/log-readers';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { membersOfNamedRun } from '../shared/run-members.js';
import { toSessionSummary } from '../shared/session-summary.js';
import { makeSessionPreviews } from './session-previews.js';

const DEFAULT_LIMIT = 50;

/** Lists a page of sessions with their summaries, newest first. */
export function makeListSessions(deps: DataPlaneDeps): Operation<typeof listSessions> {
  const sessionPreviews = makeSessionPreviews(deps);
  return ({ query }, context) => {
    const { caller, waitMs, signal } = context;
    const { projectId } = caller;
    const { limit = DEFAULT_LIMIT, source, run_id: runId, cursor, preview_chars: chars = 0 } = query;
    const range = acceptSessionRange(query, deps.now());
    const filters = acceptSentFilters(query.filters);
    const after = cursor === undefined ? undefined : readSessionCursor(cursor);
    return respondAfterWait(deps, waitMs, async () => {
      const runs = await membersOfNamedRun(deps, projectId, runId);
      const sessionQuery = { ...range, source, runs, filters, after, limit: limit + 1 };
      const found = await deps.store.sessions.list(projectId, sessionQuery, { signal });
      const page = found.slice(0, limit);
      const keys = page.map(({ sessionId: eventId }) => ({ projectId, eventId }));
      const summaries = await deps.store.sessions.summaries(keys, { signal });
      const previews = await sessionPreviews(projectId, page, chars, { signal });
      const last = page.at(-1);
      return {
        sessions: keys.flatMap((key) => {
          const summary = summaries.get(eventKey(key));
          return summary ? { ...toSessionSummary(key.eventId, summary), ...previews(key.eventId) } : [];
        }),
        next_cursor: found.length > limit && last ? writeSessionCursor(last) : null,
        redacted: false,
      };
    });
  };
}
