import type { DecidedEvents, GroundTruths, RunEvent } from '@assay/domain';
import type {
  AggregatesPort,
  ChartQuery,
  DecisionCount,
  DecisionQuery,
  EventSchemaQuery,
  FieldValues,
  FieldValuesQuery,
  GroundTruthQuery,
  QueryOptions,
  RunEventsQuery,
  RunScore,
  RunScoresQuery,
  StoredChart,
  StoredEventSchema,
  UsageDay,
} from '../event-store.js';
import type { QueryRunner } from './engine/engine.js';
import { countDecisions } from './read/aggregates/count-decisions.js';
import { readChart } from './read/aggregates/read-chart.js';
import { readDecidedEvents } from './read/aggregates/read-decided-events.js';
import { readEventSchema } from './read/aggregates/read-event-schema.js';
import { readFieldValues } from './read/aggregates/read-field-values.js';
import { readUsageByDay } from './read/aggregates/usage-by-day.js';
import { readGroundTruths } from './read/runs/read-ground-truths.js';
import { readRunEvents } from './read/runs/read-run-events.js';
import { readRunScores } from './read/runs/read-run-scores.js';
import { readMatchingSessions } from './read/sessions/matching-sessions.js';
import type { TableNames } from './schema/topology.js';
import type { SqlContext } from './sql-context.js';

/** Reads over many events, each query when its project has a turn. */
export class SqlAggregates implements AggregatesPort {
  constructor(private readonly context: SqlContext) {}

  runEvents(projectId: string, query: RunEventsQuery, options?: QueryOptions): Promise<readonly RunEvent[]> {
    const { tables, hints, options: store } = this.context;
    const reads = { tables, hints, looksUpEither: store.looksUpEither ?? false };
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

  fieldValues(projectId: string, query: FieldValuesQuery, options?: QueryOptions): Promise<FieldValues> {
    const { tables } = this.context;
    return this.context.run(projectId, options, async (runner) => {
      const search = { projectId, query };
      const sessionIds = await readMatchingSessions(runner, tables, search);
      return readFieldValues(runner, tables, { ...search, sessionIds });
    });
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
