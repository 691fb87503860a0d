import type { ListSessionsQuery, ResponseOf, listSessions as route } from '@assay/contracts';
import type { Condition } from '@assay/document-store';
import {
  acceptSessionRange,
  readSessionCursor,
  writeSessionCursor,
  type DateRange,
  type SessionCursor,
} from '@assay/domain';
import { validationError } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import {
  runKey,
  type SessionCollection,
  type SessionDocument,
  type SessionFields,
} from './session-document.js';
import { sourceKey, toSummary } from './stored-summary.js';

const DEFAULT_LIMIT = 50;
const PAGE = 200;
/** Sessions that a run lists and that are looked at: the first ones. */
const MAX_LISTED = 5_000;

export interface ListSessionsDeps {
  readonly sessions: SessionCollection;
  /** Returns the sessions that a run lists; none of a run that does not exist. */
  readonly sessionsOfRun: (projectId: string, runId: string) => Promise<readonly string[]>;
  readonly now: () => Date;
}

type Sessions = ProjectScopedCollection<SessionFields>;

/** Which sessions to list, from the newest one after the cursor on. */
interface Selection {
  readonly query: ListSessionsQuery;
  readonly range: DateRange;
  readonly after: SessionCursor | undefined;
  readonly limit: number;
}

/**
 * Lists a page of sessions from their redacted summaries, newest first.
 * @throws AppError `VALIDATION_ERROR` for an invalid cursor or range, and for filters
 */
export function makeListSessions(deps: ListSessionsDeps) {
  return async function listSessions(
    { query }: { query: ListSessionsQuery },
    { caller: { projectId } }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    if (query.filters !== undefined && query.filters.length > 0)
      throw validationError('filters need the events of sessions: send them to the data plane');
    const sessions = new ProjectScopedCollection(deps.sessions, projectId);
    const { limit = DEFAULT_LIMIT, run_id: runId, cursor } = query;
    const after = cursor === undefined ? undefined : readSessionCursor(cursor);
    const selection = { query, range: acceptSessionRange(query, deps.now().getTime()), after, limit };
    const listed = runId === undefined ? [] : await deps.sessionsOfRun(projectId, runId);
    const found = newestFirst([
      ...(await readPage(sessions, selection)),
      ...(await readListed(sessions, listed, selection)),
    ]);
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

/** One session more than the page has, when another page follows. */
async function readPage(sessions: Sessions, selection: Selection): Promise<SessionDocument[]> {
  const { query, limit } = selection;
  const equals = {
    ...(query.run_id === undefined ? { is_listed: true } : { has_runs: true }),
    ...(query.run_id === undefined && query.source !== undefined && { source_key: sourceKey(query.source) }),
  };
  const where = conditions(selection);
  const found: SessionDocument[] = [];
  // Sessions that started at the time of the cursor may belong to earlier pages.
  for (let offset = 0; found.length <= limit; offset += PAGE) {
    const page = await sessions.page(
      { equals, where, orderBy: 'start_time', descending: true, offset },
      PAGE,
    );
    found.push(...page.filter((document) => isAfter(document, selection.after)));
    if (page.length < PAGE) break;
  }
  return found;
}

/** Sessions that the run lists itself, whether or not their events name it. */
async function readListed(
  sessions: Sessions,
  ids: readonly string[],
  { query: { source }, range: { from = -Infinity, to = Infinity }, after }: Selection,
): Promise<SessionDocument[]> {
  const found: SessionDocument[] = [];
  for await (const page of sessions.pagesByIds(ids.slice(0, MAX_LISTED))) found.push(...page);
  return found.filter(
    (document) =>
      document.is_listed &&
      document.start_time >= from &&
      document.start_time <= to &&
      (source === undefined || document.source_key === sourceKey(source)) &&
      isAfter(document, after),
  );
}

function isAfter({ start_time, id }: SessionDocument, after: SessionCursor | undefined): boolean {
  return !after || start_time < after.startTime || (start_time === after.startTime && id < after.sessionId);
}

/** Each session once. */
function newestFirst(documents: readonly SessionDocument[]): SessionDocument[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return [...byId.values()].sort((a, b) => b.start_time - a.start_time || (a.id < b.id ? 1 : -1));
}

function conditions({ query: { source, run_id }, range, after }: Selection): Condition[] {
  const upper = Math.min(range.to ?? Infinity, after?.startTime ?? Infinity);
  const bounds = { ...range, ...(Number.isFinite(upper) && { to: upper }) };
  return [
    ...(Object.keys(bounds).length > 0 ? [{ field: 'start_time', ...bounds }] : []),
    ...(run_id === undefined ? [] : [{ field: 'run_key', containsAny: [runKey(run_id)] }]),
    ...(run_id === undefined || source === undefined
      ? []
      : [{ field: 'source_key', in: [sourceKey(source)] }]),
  ];
}
