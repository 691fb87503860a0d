import {
  DEFAULT_PREVIEW_CHARS,
  MAX_TREE_EVENTS,
  type getSessionTree,
  type ResponseOf,
} from '@assay/contracts';
import { canonicalUuid, cursorError, isUuid, readCursor, withTotals, writeCursor } from '@assay/domain';
import type { Caller, Event } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { QueryOptions, SessionBounds, SessionTreePage, SessionTreeQuery } from '@assay/event-store';
import { notModified, withHeaders, type HandlerResponse, type Operation } from '@assay/http';
import { columnsOf, toNarrowRow } from './event-rows.js';
import { respondByIdAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeSessionPreviews } from './session-previews.js';
import { treeColumns } from './tree-columns.js';

type Tree = ResponseOf<typeof getSessionTree>;

const CURSOR_KIND = 'tree of a session';
/** Changes when the format of the response does, because tags of the earlier format must not match. */
const FORMAT = 2;

/**
 * Reads the events of a session in columns. The entity tag follows from the versions of its rows, so a client that
 * polls learns that nothing has changed without the events being read.
 */
export function makeGetSessionTree(deps: DataPlaneDeps): Operation<typeof getSessionTree> {
  return ({ params, query }, { caller, waitMs, signal, headers }) => {
    const sessionId = canonicalUuid(params.session_id);
    const after = query.cursor === undefined ? undefined : readPosition(query.cursor);
    const { limit = MAX_TREE_EVENTS, preview_chars: chars = DEFAULT_PREVIEW_CHARS } = query;
    return respondByIdAfterWait<Tree>(
      deps,
      { caller, waitMs, signal },
      async (): Promise<HandlerResponse<Tree>> => {
        const bounds = await deps.store.sessions.bounds(caller.projectId, sessionId, { signal });
        if (!bounds) throw notFound('there is no session with this session_id');
        const tag = entityTag(bounds);
        const unchanged = notModified(headers, tag);
        if (unchanged) return unchanged;
        const treeQuery = { sessionId, bounds, limit, chars, ...(after && { after }) };
        const tree = await readTree(deps, caller, treeQuery, { signal });
        return withHeaders(tree, { ETag: tag });
      },
    );
  };
}

async function readTree(
  deps: DataPlaneDeps,
  { projectId, projectName }: Caller,
  query: SessionTreeQuery & { readonly chars: number },
  options: QueryOptions,
): Promise<Tree> {
  const { store } = deps;
  const { sessionId, after } = query;
  const page = await store.sessions.tree(projectId, query, options);
  if (!after && page.rows.length === 0 && !page.session)
    throw notFound('there is no session with this session_id');
  const totals = after
    ? undefined
    : (await store.sessions.rollups(projectId, [sessionId], options)).get(sessionId);
  const session = after ? undefined : page.session && withTotals(page.session, totals);
  const preview = session && (await readPreview(deps, { ...query, session, page, projectId }, options));
  return {
    session: session ? { ...toNarrowRow(session, columnsOf(), projectName), ...preview } : null,
    total: after ? null : (totals?.numEvents ?? 0),
    ...treeColumns(sessionId, page.rows),
    next_cursor: nextCursor(page),
  };
}

interface PreviewedTree {
  readonly projectId: string;
  readonly sessionId: string;
  readonly session: Event;
  readonly page: SessionTreePage;
  readonly chars: number;
}

/** The earliest event may be the root event, also where the session begins later. */
async function readPreview(
  deps: DataPlaneDeps,
  { projectId, sessionId, session, page, chars }: PreviewedTree,
  options: QueryOptions,
) {
  const startTime = Math.min(session.start_time, page.rows[0]?.startTime ?? Infinity);
  const previews = makeSessionPreviews(deps);
  return (await previews(projectId, [{ sessionId, startTime }], chars, options))(sessionId);
}

function nextCursor({ rows, hasMore }: SessionTreePage): string | null {
  const last = rows.at(-1);
  return hasMore && last ? writeCursor(CURSOR_KIND, [last.startTime, last.eventId]) : null;
}

function readPosition(cursor: string): { startTime: number; eventId: string } {
  const [startTime, eventId, ...rest] = readCursor(CURSOR_KIND, cursor);
  const isPosition = typeof startTime === 'number' && typeof eventId === 'string' && isUuid(eventId);
  if (!isPosition || rest.length > 0) throw cursorError();
  return { startTime, eventId };
}

/** Weak, because responses can be compressed. */
function entityTag({ watermark }: SessionBounds): string {
  return `W/"${FORMAT}-${watermark}"`;
}
