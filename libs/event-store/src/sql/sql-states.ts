import type { Evaluation } from '@assay/domain';
import type {
  ChangeFlags,
  EvaluationRow,
  EventKey,
  EventState,
  ExpiredPage,
  ExpiredQuery,
  IdPage,
  LocationPage,
  PendingQuery,
  QueryOptions,
  RowLocation,
  SessionMembers,
  StateKey,
  StatesPort,
  WantedIds,
  WrittenQuery,
} from '../event-store.js';
import type { QueryRunner } from './engine/engine.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readExpired } from './read/states/find-expired-events.js';
import { readLargeSessionsWritten } from './read/states/find-large-sessions.js';
import { readSessionMembers } from './read/states/list-members.js';
import { readStateSizes } from './read/states/measure-states.js';
import { readChangeFlags } from './read/states/read-change-flags.js';
import { readEvaluations, readPendingEvaluations } from './read/states/read-evaluations.js';
import { readKnownIds } from './read/states/read-known-ids.js';
import { readStates } from './read/states/read-states.js';
import { readRelocatedIds, readRowLocations } from './read/states/row-locations.js';
import { readSessionsOfEvents } from './read/states/sessions-of-events.js';
import type { SqlContext } from './sql-context.js';

/** Reads the states of events, where their rows are, and their evaluations. */
export class SqlStates implements StatesPort {
  constructor(private readonly context: SqlContext) {}

  read(keys: readonly StateKey[], query?: QueryOptions): Promise<ReadonlyMap<string, EventState>> {
    const { engine, tables } = this.context;
    const [first] = keys;
    if (query === undefined || first === undefined) return readStates(engine, tables, keys);
    return this.context.run(first.projectId, query, (runner) => readStates(runner, tables, keys));
  }

  sizes(keys: readonly StateKey[]): Promise<ReadonlyMap<string, number>> {
    return readStateSizes(this.context.engine, this.context.tables, keys);
  }

  async changeFlags(
    keys: readonly EventKey[],
    query?: QueryOptions,
  ): Promise<ReadonlyMap<string, ChangeFlags>> {
    const { engine, tables, options } = this.context;
    const asked = (await options.flagged?.among(keys, engine, tables)) ?? keys;
    const [first] = asked;
    if (query === undefined || first === undefined) return readChangeFlags(engine, tables, asked);
    return this.context.run(first.projectId, query, (runner) => readChangeFlags(runner, tables, asked));
  }

  rowLocations(
    projectId: string,
    sessionIds: readonly string[],
    page: LocationPage,
  ): Promise<readonly RowLocation[]> {
    return readRowLocations(this.context.engine, this.context.tables, {
      projectId,
      sessionIds: sessionIds.filter(isStoredId),
      page,
    });
  }

  relocatedIds(projectId: string, sessionIds: readonly string[], page: IdPage): Promise<readonly string[]> {
    const scope = { projectId, sessionIds: sessionIds.filter(isStoredId), page };
    return readRelocatedIds(this.context.engine, this.context.tables, scope);
  }

  knownIds(onPage: (eventIds: readonly string[]) => void, wanted: WantedIds = {}): Promise<boolean> {
    return readKnownIds(this.context.engine, this.context.tables, onPage, wanted);
  }

  sessionsOfEvents(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return readSessionsOfEvents(this.context.engine, this.context.tables, keys);
  }

  sessionMembers(
    session: EventKey,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<SessionMembers> {
    return readSessionMembers(this.context.engine, this.context.tables, session, page);
  }

  largeSessionsWritten(query: WrittenQuery): Promise<readonly EventKey[]> {
    return readLargeSessionsWritten(this.context.engine, this.context.tables, query);
  }

  async evaluations(
    keys: readonly EventKey[],
    query?: QueryOptions | 'toDecide',
  ): Promise<ReadonlyMap<string, readonly Evaluation[]>> {
    const { engine, tables } = this.context;
    const [first] = keys;
    const read = (runner: QueryRunner) =>
      readEvaluations(runner, tables, { keys, toDecide: query === 'toDecide' });
    return query === undefined || query === 'toDecide' || first === undefined
      ? read(engine)
      : this.context.run(first.projectId, query, read);
  }

  pendingEvaluations(query: PendingQuery): Promise<readonly EvaluationRow[]> {
    return readPendingEvaluations(this.context.engine, this.context.tables, query);
  }

  expiredEvents(projectId: string, query: ExpiredQuery): Promise<ExpiredPage> {
    return readExpired(this.context.engine, this.context.tables, projectId, query);
  }
}
