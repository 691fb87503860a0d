import type { DecidedEvents, Evaluation, JsonObject } from '@assay/domain';
import type {
  DecisionCount,
  DecisionQuery,
  EvaluationRow,
  EventKey,
  EventStore,
  ExpiredPage,
  ExpiredQuery,
  PendingQuery,
  QueryOptions,
} from '../event-store.js';
import type { QueryRunner, SqlEngine } from './engine/engine.js';
import { chunks } from './read/rows/chunks.js';
import { readDecidedEvents } from './read/aggregates/read-decided-events.js';
import { countDecisions } from './read/aggregates/count-decisions.js';
import { readEvaluations, readPendingEvaluations } from './read/states/read-evaluations.js';
import { byProject } from './read/rows/keys-by-project.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readSessionMetrics } from './read/sessions/read-session-metrics.js';
import { readExpired } from './read/states/find-expired-events.js';
import { SqlAggregateReads, type AggregateReadsContext } from './sql-aggregate-reads.js';
import { removeEvaluations, writeEvaluations } from './write/write-evaluations.js';

/** Events of one statement. */
const IDS_PER_REMOVAL = 1_000;

type Methods =
  | 'writeEvaluations'
  | 'removeEvaluations'
  | 'evaluations'
  | 'pendingEvaluations'
  | 'countDecisions'
  | 'decidedEvents'
  | 'expiredEvents'
  | 'sessionMetrics';

/** What the methods of evaluations need of a store, beside what aggregate reads need. */
export interface EvaluationsContext {
  readonly engine: SqlEngine;
  /** Part of every token. */
  readonly instance: string;
}

/** The part of the store that holds evaluations, reads what they combine, and finds what is expired. */
export abstract class SqlEvaluations extends SqlAggregateReads implements Pick<EventStore, Methods> {
  protected abstract override readonly context: AggregateReadsContext & EvaluationsContext;

  writeEvaluations(rows: readonly EvaluationRow[], token: string): Promise<void> {
    const stored = rows.filter(({ eventId }) => isStoredId(eventId));
    const { engine, tables, instance } = this.context;
    return writeEvaluations(engine, tables, { rows: stored, token: `${instance}:${token}` });
  }

  async removeEvaluations(keys: readonly EventKey[]): Promise<void> {
    const { engine, tables } = this.context;
    for (const [projectId, ids] of byProject(keys))
      for (const eventIds of chunks([...ids], IDS_PER_REMOVAL))
        await removeEvaluations(engine, tables, { projectId, eventIds });
  }

  async evaluations(
    keys: readonly EventKey[],
    query?: QueryOptions,
  ): Promise<ReadonlyMap<string, readonly Evaluation[]>> {
    const { engine, tables } = this.context;
    const [first] = keys;
    const read = (runner: QueryRunner) => readEvaluations(runner, tables, keys);
    return query === undefined || first === undefined
      ? read(engine)
      : this.context.run(first.projectId, query, read);
  }

  pendingEvaluations(query: PendingQuery): Promise<readonly EvaluationRow[]> {
    return readPendingEvaluations(this.context.engine, this.context.tables, query);
  }

  countDecisions(
    projectId: string,
    query: DecisionQuery,
    options?: QueryOptions,
  ): Promise<readonly DecisionCount[]> {
    const { tables } = this.context;
    return this.context.run(projectId, options, (runner) => countDecisions(runner, tables, projectId, query));
  }

  async decidedEvents(
    projectId: string,
    eventIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly DecidedEvents[]> {
    if (eventIds.length === 0) return [];
    const { tables } = this.context;
    return this.context.run(projectId, options, (runner) =>
      readDecidedEvents(runner, tables, projectId, eventIds),
    );
  }

  expiredEvents(projectId: string, query: ExpiredQuery): Promise<ExpiredPage> {
    return readExpired(this.context.engine, this.context.tables, projectId, query);
  }

  sessionMetrics(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
    return readSessionMetrics(this.context.engine, this.context.tables, keys);
  }
}
