import type { forwardSessions } from '@assay/contracts';
import { readSessionCursor, writeSessionCursor } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

const DEFAULT_LIMIT = 250;

/**
 * Forwards the summaries of a page of stored sessions, for sessions that the control plane lacks. A summary is
 * absolute, so that repeating a page has no effect. @throws AppError `CONFLICT` when this process does not forward,
 * `UNAVAILABLE`
 */
export function makeForwardStoredSessions(
  deps: Pick<DataPlaneDeps, 'store' | 'forwardSummaries'>,
): Operation<typeof forwardSessions> {
  return async ({ body }, { signal }) => {
    const { project_id: projectId, limit = DEFAULT_LIMIT, cursor } = body;
    if (!deps.forwardSummaries)
      throw new AppError(
        'CONFLICT',
        'this process forwards no summaries: a single process has no use for them, a data plane needs FORWARD_EVENTS=true',
      );
    const after = cursor === undefined ? undefined : readSessionCursor(cursor);
    const page = await deps.store.sessions.list(projectId, { limit, after }, { signal });
    await deps.forwardSummaries(page.map(({ sessionId: eventId }) => ({ projectId, eventId })));
    const last = page.at(-1);
    return {
      success: true,
      forwarded: page.length,
      next_cursor: page.length === limit && last ? writeSessionCursor(last) : null,
    };
  };
}
