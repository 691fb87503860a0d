import type {
  AggregateReads,
  ChartQuery,
  EventSchemaQuery,
  GroundTruthQuery,
  RunEventsQuery,
  RunScore,
  RunScoresQuery,
  StoredChart,
  StoredEventSchema,
  StoredRunEvent,
} from '../aggregate-reads.js';
import type { Event, GroundTruths, TreePlace } from '@assay/domain';
import type { DerivedValues, QueryOptions, SessionRollup } from '../event-store.js';
import type { QueryRunner } from './engine/engine.js';
import { readChart } from './read/aggregates/read-chart.js';
import { readDerived } from './read/events/relate-events.js';
import { readEventSchema } from './read/aggregates/read-event-schema.js';
import { readGroundTruths } from './read/runs/read-ground-truths.js';
import { readRollups } from './read/sessions/roll-up-sessions.js';
import { RunSessions } from './read/hints/run-sessions.js';
import { RecentValues } from './read/hints/recent-values.js';
import { readRunEvents } from './read/runs/read-run-events.js';
import { readRunScores } from './read/runs/read-run-scores.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readChildren, readTreePositions } from './read/sessions/tree-positions.js';
import type { TableNames } from './schema/topology.js';
import { SqlPagedReads, type PagedReadsContext } from './sql-paged-reads.js';

/** Runs, or queries for runs, of which a store remembers how to read them. */
const MAX_KNOWN_RUNS = 1_000;

/** What these reads need of a store, beside what paged reads need. */
export interface AggregateReadsContext extends PagedReadsContext {
  /** Whether the engine looks up both sides of an `OR` in their indexes. */
  readonly looksUpEither: boolean;
}

/** The reads over many events of a store over SQL, and over the trees of sessions. */
export abstract class SqlAggregateReads extends SqlPagedReads implements AggregateReads {
  protected abstract override readonly context: AggregateReadsContext;
  readonly #largeRuns = new RecentValues<true>(MAX_KNOWN_RUNS);
  readonly #runSessions = new RunSessions(MAX_KNOWN_RUNS);

  runEvents(projectId: string, query: RunEventsQuery, options?: QueryOptions): Promise<StoredRunEvent[]> {
    const { tables, looksUpEither } = this.context;
    const reads = { tables, looksUpEither, largeRuns: this.#largeRuns, runSessions: this.#runSessions };
    return this.context.run(projectId, options, (runner) => readRunEvents(runner, reads, projectId, query));
  }

  runScores(projectId: string, query: RunScoresQuery, options?: QueryOptions): Promise<RunScore[]> {
    return this.#read(readRunScores, projectId, query, options);
  }

  groundTruths(projectId: string, query: GroundTruthQuery, options?: QueryOptions): Promise<GroundTruths> {
    return this.#read(readGroundTruths, projectId, query, options);
  }

  chart(projectId: string, query: ChartQuery, options?: QueryOptions): Promise<StoredChart> {
    return this.#read(readChart, projectId, query, options);
  }

  eventSchema(
    projectId: string,
    query: EventSchemaQuery,
    options?: QueryOptions,
  ): Promise<StoredEventSchema> {
    return this.#read(readEventSchema, projectId, query, options);
  }

  derivedOf(projectId: string, events: readonly Event[], options?: QueryOptions): Promise<DerivedValues> {
    return this.context.run(projectId, options, (runner) =>
      readDerived(runner, this.context.tables, { projectId, events }),
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

  rollups(
    projectId: string,
    sessionIds: readonly string[],
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionRollup>> {
    const ids = sessionIds.filter(isStoredId);
    return this.context.run(projectId, options, (runner) =>
      readRollups(runner, this.context.tables, projectId, ids),
    );
  }

  #read<Read, Result>(
    read: (runner: QueryRunner, tables: TableNames, projectId: string, query: Read) => Promise<Result>,
    projectId: string,
    query: Read,
    options: QueryOptions | undefined,
  ): Promise<Result> {
    const { tables } = this.context;
    return this.context.run(projectId, options, (runner) => read(runner, tables, projectId, query));
  }
}
