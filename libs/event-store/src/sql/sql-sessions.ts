import type { Event, JsonObject, TreePlace } from '@assay/domain';
import type {
  EventKey,
  PreviewedSession,
  QueryOptions,
  SessionBounds,
  SessionPosition,
  SessionPreview,
  SessionQuery,
  SessionRollup,
  SessionSummary,
  SessionTreePage,
  SessionTreeQuery,
  SessionsPort,
  WholeSession,
} from '../event-store.js';
import type { ClientRunner } from './engine/engine.js';
import { readSession } from './read/events/read-session.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readSessionPage } from './read/sessions/list-sessions.js';
import { readSessionPreviews } from './read/sessions/preview-sessions.js';
import { readSessionMetrics } from './read/sessions/read-session-metrics.js';
import { readSessionRows } from './read/sessions/read-session-rows.js';
import { readSessionBounds, readSessionTree } from './read/sessions/read-session-tree.js';
import { readPageRollups } from './read/sessions/roll-up-page.js';
import { readSessionSummaries } from './read/sessions/summarise-sessions.js';
import { readChildren, readTreePositions } from './read/sessions/tree-positions.js';
import type { SqlContext } from './sql-context.js';

/** Reads sessions, their trees, and what their events add up to. */
export class SqlSessions implements SessionsPort {
  constructor(private readonly context: SqlContext) {}

  async read(
    projectId: string,
    sessionId: string,
    limit: number,
    options?: QueryOptions,
  ): Promise<WholeSession | undefined> {
    if (!isStoredId(sessionId)) return { events: [] };
    const request = { projectId, sessionId, limit, maxBytes: this.context.options.limits.maxResultBytes };
    const read = (runner: ClientRunner) => readSession(runner, this.context, request);
    return this.context.run(projectId, options, read);
  }

  rollups(
    projectId: string,
    sessionIds: readonly string[],
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionRollup>> {
    const ids = sessionIds.filter(isStoredId);
    return this.context.run(projectId, options, (runner) =>
      readPageRollups(runner, this.context.tables, projectId, ids),
    );
  }

  summaries(keys: readonly EventKey[], query?: QueryOptions): Promise<ReadonlyMap<string, SessionSummary>> {
    const [first] = keys;
    if (query === undefined || first === undefined)
      return readSessionSummaries(this.context.engine, this.context.tables, keys);
    return this.context.run(first.projectId, query, (runner) =>
      readSessionSummaries(runner, this.context.tables, keys),
    );
  }

  metrics(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
    return readSessionMetrics(this.context.engine, this.context.tables, keys);
  }

  list(projectId: string, query: SessionQuery, options?: QueryOptions): Promise<readonly SessionPosition[]> {
    return this.context.run(projectId, options, (runner) =>
      readSessionPage(runner, this.context.tables, projectId, query),
    );
  }

  rows(projectId: string, sessionIds: readonly string[], options?: QueryOptions): Promise<readonly Event[]> {
    const { tables } = this.context;
    return this.context.run(projectId, options, (runner) =>
      readSessionRows(runner, tables, projectId, sessionIds),
    );
  }

  async bounds(
    projectId: string,
    sessionId: string,
    options?: QueryOptions,
  ): Promise<SessionBounds | undefined> {
    const { tables } = this.context;
    if (!isStoredId(sessionId)) return undefined;
    return this.context.run(projectId, options, (runner) =>
      readSessionBounds(runner, tables, projectId, sessionId),
    );
  }

  previews(
    projectId: string,
    sessions: readonly PreviewedSession[],
    chars: number,
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionPreview>> {
    const stored = sessions.filter(({ sessionId }) => isStoredId(sessionId));
    return this.context.run(projectId, options, (runner) =>
      readSessionPreviews(runner, this.context.tables, { projectId, sessions: stored, chars }),
    );
  }

  tree(projectId: string, query: SessionTreeQuery, options?: QueryOptions): Promise<SessionTreePage> {
    return this.context.run(projectId, options, (runner) =>
      readSessionTree(runner, this.context.tables, { projectId, ...query }),
    );
  }

  childrenOf(
    projectId: string,
    parents: readonly Pick<Event, 'event_id' | 'session_id'>[],
    options?: QueryOptions,
  ): Promise<readonly TreePlace[]> {
    return this.context.run(projectId, options, (runner) =>
      readChildren(runner, this.context.tables, projectId, parents),
    );
  }

  treePlacesOf(
    projectId: string,
    eventIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly TreePlace[]> {
    return this.context.run(projectId, options, (runner) =>
      readTreePositions(runner, this.context.tables, projectId, eventIds),
    );
  }
}
