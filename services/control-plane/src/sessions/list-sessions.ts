import type { ListSessionsQuery, ResponseOf, listSessions as route } from '@assay/contracts';
import type { Condition } from '@assay/document-store';
import { readSessionCursor, writeSessionCursor } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { runKey, type SessionCollection, type SessionDocument } from './session-document.js';
import { sourceKey, toSummary } from './stored-summary.js';

const DEFAULT_LIMIT = 50;
const PAGE = 200;

/**
 * Lists a page of sessions from their redacted summaries, newest first. @throws AppError `VALIDATION_ERROR` for an
 * invalid cursor
 */
export function makeListSessions(deps: { readonly sessions: SessionCollection }) {
  return async function listSessions(
    { query }: { query: ListSessionsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const sessions = new ProjectScopedCollection(deps.sessions, caller.projectId);
    const { limit = DEFAULT_LIMIT, source, run_id, cursor } = query;
    const after = cursor === undefined ? undefined : readSessionCursor(cursor);
    const equals = {
      ...(run_id === undefined ? { is_listed: true } : { has_runs: true }),
      ...(run_id === undefined && source !== undefined && { source_key: sourceKey(source) }),
    };
    const where = conditions(query, after?.startTime);
    const found: SessionDocument[] = [];
    // Sessions that started at the time of the cursor may belong to earlier pages.
    for (let offset = 0; found.length <= limit; offset += PAGE) {
      const page = await sessions.page(
        { equals, where, orderBy: 'start_time', descending: true, offset },
        PAGE,
      );
      const isAfter = ({ start_time, id }: SessionDocument) =>
        !after || start_time < after.startTime || id < after.sessionId;
      found.push(...page.filter(isAfter));
      if (page.length < PAGE) break;
    }
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      sessions: page.map((document) => toSummary(document.id, document)),
      next_cursor:
        found.length > limit && last
          ? writeSessionCursor({ startTime: last.start_time, sessionId: last.id })
          : null,
      redacted: true,
    };
  };
}

function conditions({ from, to, source, run_id }: ListSessionsQuery, startedBefore = Infinity): Condition[] {
  const upper = Math.min(to === undefined ? Infinity : Date.parse(to), startedBefore);
  const range = {
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(Number.isFinite(upper) && { to: upper }),
  };
  return [
    ...(Object.keys(range).length > 0 ? [{ field: 'start_time', ...range }] : []),
    ...(run_id === undefined ? [] : [{ field: 'run_key', containsAny: [runKey(run_id)] }]),
    ...(run_id === undefined || source === undefined
      ? []
      : [{ field: 'source_key', in: [sourceKey(source)] }]),
  ];
}
