import type { Bucket, Event } from '@assay/domain';
import type {
  DerivedValues,
  EventPage,
  EventQuery,
  EventRowsPage,
  EventRowsQuery,
  EventWithDerived,
  EventsPort,
  FieldRange,
  FindOptions,
  LocatedField,
  PageOptions,
  PagePart,
  PageStart,
  PartOptions,
  QueryOptions,
  StartOptions,
  StoredMedia,
  StoredQuery,
  UnreadEvent,
} from '../event-store.js';
import type { ClientRunner } from './engine/engine.js';
import { isMediaHash } from './media/media-reference.js';
import { readMediaBytes, readMediaSizes } from './media/read-media.js';
import { readPart } from './read/events/continue-page.js';
import { readEvent, readEventWithDerived } from './read/events/find-event.js';
import { makeEvents, withNamedEvents } from './read/events/held-events.js';
import { readEventRows } from './read/events/list-event-rows.js';
import { locateField, readFieldBytes } from './read/events/read-field-bytes.js';
import { readDerived } from './read/events/relate-events.js';
import { listStoredEvents } from './read/events/list-stored-events.js';
import { searchEvents } from './read/events/search-events.js';
import { readPageStart } from './read/events/start-page.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readMatchingSessions, readSessionUsage } from './read/sessions/matching-sessions.js';
import type { SqlContext } from './sql-context.js';

/** Reads events of one project, each query when the project has a turn. */
export class SqlEvents implements EventsPort {
  constructor(private readonly context: SqlContext) {}

  async find(projectId: string, eventId: string, options?: QueryOptions): Promise<Event | undefined> {
    if (!isStoredId(eventId)) return undefined;
    return this.context.run(projectId, options, (runner) =>
      readEvent(runner, this.context.tables, projectId, eventId),
    );
  }

  async findWithDerived(
    projectId: string,
    eventId: string,
    options?: FindOptions,
  ): Promise<EventWithDerived | undefined> {
    const { tables } = this.context;
    const key = { projectId, eventId, mediaLinks: options?.mediaLinks };
    if (!isStoredId(eventId)) return undefined;
    return this.context.run(projectId, options, (runner) => readEventWithDerived(runner, tables, key));
  }

  search(projectId: string, query: EventQuery, options?: PageOptions): Promise<EventPage> {
    const bounds = {
      maxBytes: this.context.options.limits.maxResultBytes,
      withDerived: options?.withDerived,
    };
    const search = (runner: ClientRunner) => searchEvents(runner, this.context, { projectId, query }, bounds);
    return this.context.run(projectId, options, search);
  }

  startPage(projectId: string, query: EventQuery, options?: StartOptions): Promise<PageStart> {
    const { tables, options: store } = this.context;
    return this.context.run(projectId, options, async (runner) => {
      const maxBytes = Math.min(store.limits.maxResultBytes, options?.maxHeldBytes?.() ?? Infinity);
      const bounds = { maxBytes, withDerived: options?.withDerived };
      const { held, ...start } = await readPageStart(runner, this.context, { projectId, query }, bounds);
      const whole = held && (await withNamedEvents(runner, tables, projectId, held));
      return { ...start, ...(whole && { parts: makeEvents(whole) }) };
    });
  }

  continuePage(projectId: string, unread: readonly UnreadEvent[], options?: PartOptions): Promise<PagePart> {
    const request = { projectId, unread, withDerived: options?.withDerived, areDense: options?.areDense };
    return this.context.run(projectId, options, (runner) => readPart(runner, this.context.tables, request));
  }

  async rows(projectId: string, query: EventRowsQuery, options?: QueryOptions): Promise<EventRowsPage> {
    const { tables, hints } = this.context;
    return this.context.run(projectId, options, async (runner) => {
      const search = { projectId, query };
      const sessionIds = await readMatchingSessions(runner, tables, search);
      const usage = await readSessionUsage(runner, tables, { ...search, sessionIds }, [query.sort.field]);
      const read = () => readEventRows(runner, tables, { ...search, sessionIds, usage }, hints);
      const found = await read();
      const { isFull: _isFull, ...page } = found.isFull ? found : await read();
      return page;
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

  async media(projectId: string, hash: string, options?: QueryOptions): Promise<StoredMedia | undefined> {
    if (!isMediaHash(hash)) return undefined;
    return this.context.run(projectId, options, async (runner) =>
      (await readMediaSizes(runner, this.context.tables, projectId, [hash])).get(hash),
    );
  }

  mediaBytes(projectId: string, hash: string, range: FieldRange, options?: QueryOptions): Promise<Buffer> {
    return this.context.run(projectId, options, (runner) =>
      readMediaBytes(runner, this.context.tables, { projectId, hash }, range),
    );
  }

  derivedOf(projectId: string, events: readonly Event[], options?: QueryOptions): Promise<DerivedValues> {
    return this.context.run(projectId, options, (runner) =>
      readDerived(runner, this.context.tables, { projectId, events }),
    );
  }

  storedEvents(
    projectId: string,
    query: StoredQuery,
    options?: QueryOptions,
  ): Promise<readonly UnreadEvent[]> {
    return this.context.run(projectId, options, (runner) =>
      listStoredEvents(runner, this.context.tables, projectId, query),
    );
  }
}
