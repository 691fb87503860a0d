import type { Bucket, Event } from '@assay/domain';
import type {
  EventStore,
  EventWithDerived,
  PagePart,
  PartOptions,
  QueryOptions,
  UnreadEvent,
} from '../event-store.js';
import type {
  EventRowsPage,
  EventRowsQuery,
  FieldRange,
  FieldValues,
  FieldValuesQuery,
  LocatedField,
  PagedReads,
  PreviewedSession,
  SessionBounds,
  SessionPreview,
  SessionTreePage,
  SessionTreeQuery,
  UsageDay,
} from '../paged-reads.js';
import type { ClientRunner } from './engine/engine.js';
import type { Completeness } from './read/states/completeness.js';
import { EventLocations } from './read/hints/event-locations.js';
import { readEventWithDerived } from './read/events/find-event.js';
import { readMatchingSessions, readSessionUsage } from './read/sessions/matching-sessions.js';
import { readPart } from './read/events/continue-page.js';
import { locateField, readFieldBytes } from './read/events/read-field-bytes.js';
import { readFieldValues } from './read/aggregates/read-field-values.js';
import { readSessionRows } from './read/sessions/read-session-rows.js';
import { readEventRows, type RowsHints } from './read/events/list-event-rows.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readUsageByDay } from './read/aggregates/usage-by-day.js';
import { readSessionPreviews } from './read/sessions/preview-sessions.js';
import { readSessionBounds, readSessionTree } from './read/sessions/read-session-tree.js';
import type { TableNames } from './schema/topology.js';

/** What paged reads need of a store. */
export interface PagedReadsContext {
  readonly tables: TableNames;
  readonly completeness: Completeness;
  readonly hints: RowsHints;
  /** Runs a client's query when its project has a turn. */
  run<Result>(
    projectId: string,
    options: QueryOptions | undefined,
    query: (runner: ClientRunner) => Promise<Result>,
  ): Promise<Result>;
}

type Reads = PagedReads & Pick<EventStore, 'findWithDerived' | 'continuePage'>;

/** The reads of bounded size of a store over SQL. */
export abstract class SqlPagedReads implements Reads {
  protected abstract readonly context: PagedReadsContext;
  protected readonly locations = new EventLocations();

  async findWithDerived(
    projectId: string,
    eventId: string,
    options?: QueryOptions,
  ): Promise<EventWithDerived | undefined> {
    const { tables } = this.context;
    if (!isStoredId(eventId)) return undefined;
    const location = this.locations.get(projectId, eventId);
    const found = await this.context.run(projectId, options, (runner) =>
      readEventWithDerived(runner, tables, { projectId, eventId, location }),
    );
    if (found) this.locations.note(projectId, [found.event]);
    return found;
  }

  continuePage(projectId: string, unread: readonly UnreadEvent[], options?: PartOptions): Promise<PagePart> {
    const request = { projectId, unread, withDerived: options?.withDerived, areDense: options?.areDense };
    return this.context.run(projectId, options, (runner) => readPart(runner, this.context.tables, request));
  }

  async eventRows(projectId: string, query: EventRowsQuery, options?: QueryOptions): Promise<EventRowsPage> {
    const { tables, completeness, hints } = this.context;
    const page = await this.context.run(projectId, options, async (runner) => {
      const withPayload = !completeness.isKnown;
      const search = { projectId, query, withPayload };
      const sessionIds = await readMatchingSessions(runner, tables, search);
      const usage = await readSessionUsage(runner, tables, { ...search, sessionIds }, [query.sort.field]);
      if (!withPayload) {
        const { isFull, ...page } = await readEventRows(
          runner,
          tables,
          { ...search, sessionIds, usage },
          hints,
        );
        if (isFull) return page;
        completeness.doubt();
      }
      completeness.compareSoon();
      const checked = { ...search, sessionIds, usage, withPayload: true };
      const { isFull: _isFull, ...page } = await readEventRows(runner, tables, checked, hints);
      return page;
    });
    const events = page.rows.map(({ event }) => event);
    this.locations.note(projectId, events);
    return page;
  }

  usageByDay(
    projectId: string,
    days: { readonly first: string; readonly last: string },
    options?: QueryOptions,
  ): Promise<readonly UsageDay[]> {
    return this.context.run(projectId, options, (runner) =>
      readUsageByDay(runner, this.context.tables, { projectId, ...days }),
    );
  }

  async sessionBounds(
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

  sessionRows(
    projectId: string,
    sessionIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly Event[]> {
    const { tables } = this.context;
    return this.context.run(projectId, options, (runner) =>
      readSessionRows(runner, tables, projectId, sessionIds),
    );
  }

  fieldValues(projectId: string, query: FieldValuesQuery, options?: QueryOptions): Promise<FieldValues> {
    const { tables } = this.context;
    return this.context.run(projectId, options, async (runner) => {
      const search = { projectId, query, withPayload: false };
      const sessionIds = await readMatchingSessions(runner, tables, search);
      return readFieldValues(runner, tables, { ...search, sessionIds });
    });
  }

  async locateField(
    projectId: string,
    eventId: string,
    field: Bucket,
    options?: QueryOptions,
  ): Promise<LocatedField | undefined> {
    const { tables } = this.context;
    if (!isStoredId(eventId)) return undefined;
    return this.context.run(projectId, options, (runner) =>
      locateField(runner, tables, { projectId, eventId, field }),
    );
  }

  fieldBytes(
    projectId: string,
    field: LocatedField,
    range: FieldRange,
    options?: QueryOptions,
  ): Promise<Buffer> {
    const { tables } = this.context;
    return this.context.run(projectId, options, (runner) =>
      readFieldBytes(runner, tables, { projectId, ...field, ...range }),
    );
  }

  sessionPreviews(
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

  sessionTree(projectId: string, query: SessionTreeQuery, options?: QueryOptions): Promise<SessionTreePage> {
    const { tables, completeness } = this.context;
    const withPayload = !completeness.isKnown;
    return this.context.run(projectId, options, (runner) =>
      readSessionTree(runner, tables, { projectId, ...query, withPayload }),
    );
  }
}
