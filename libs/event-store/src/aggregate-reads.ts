import type { ChartPoint, ChartValue, Filter, GroundTruths, RunEvent, RunLinks } from '@assay/domain';
import type { QueryOptions } from './row-location.js';
import type { RunMembers } from './run-members.js';

export type { RunMembers } from './run-members.js';

/** Which events of runs to read. */
export interface RunEventsQuery {
  /** At most 100. */
  readonly runs: readonly RunLinks[];
  /** An event is selected when all hold, and its start is within the bounds. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Lists of filters; each event tells which of them it satisfies. */
  readonly conditions?: readonly (readonly Filter[])[];
}

/** An event of one or more runs. Metrics are empty unless it is selected. */
export interface StoredRunEvent extends Omit<RunEvent, 'composites'> {
  /** Indexes of the conditions that the event satisfies. */
  readonly satisfied: readonly number[];
}

/** Which runs to read the scores of. */
export interface RunScoresQuery {
  /** At most 100. Of the sessions that they list, the first 5,000 over all runs count. */
  readonly runs: readonly RunLinks[];
}

/** The scores of one name in one run. */
export interface RunScore {
  readonly runId: string;
  readonly name: string;
  /** Mean of all scores; booleans are 1 and 0. */
  readonly average: number;
  /** Number of scores. */
  readonly scores: number;
  /** The same of the numbers alone, and of the booleans alone; the mean of none is 0. */
  readonly numbers: { readonly average: number; readonly scores: number };
  readonly booleans: { readonly average: number; readonly scores: number };
}

/** Which labels to read. */
export interface GroundTruthQuery {
  readonly sessionIds: readonly string[];
  /** Keys of `feedback.ground_truth`, at most 100. */
  readonly names: readonly string[];
}

/** What to aggregate over which events. */
export interface ChartQuery {
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Starts of the buckets, Unix milliseconds, ascending; at most 2,000. The first one is not after `from`. */
  readonly starts: readonly number[];
  readonly value: ChartValue;
  /** Field to group by. */
  readonly groupBy?: string;
  /** Groups besides the rest; the largest ones. */
  readonly maxGroups: number;
  /** Only events of these runs. */
  readonly runs?: RunMembers;
}

export interface StoredChart {
  /** Buckets and groups that have an event, in any order. */
  readonly points: readonly ChartPoint[];
  /** Number of matching events. */
  readonly total: number;
}

/** Which events to read the fields of. */
export interface EventSchemaQuery {
  /** All events, or those of runs. */
  readonly scope: 'events' | RunMembers;
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** A field that events of this name and type have. */
export interface StoredField {
  /** Dotted path, such as `inputs.question`. */
  readonly name: string;
  readonly eventType: string;
  readonly eventName: string;
}

export interface StoredEventSchema {
  readonly fields: readonly StoredField[];
  /** Values of `metadata.dataset_id`. */
  readonly datasets: readonly string[];
}

/** Reads over many events, of runs or of a range of time. Errors are those of `search`. */
export interface AggregateReads {
  /**
   * Returns every event that may belong to one of the runs, each once, in any order: those that name one, and all
   * events of the sessions that name one or that a run lists. `sessionsOfRun` of the domain decides.
   * @throws AppError as `search`
   */
  runEvents(
    projectId: string,
    query: RunEventsQuery,
    options?: QueryOptions,
  ): Promise<readonly StoredRunEvent[]>;

  /**
   * Returns the averages of the numbers and booleans among the metrics of runs, by run, then by name: at most 200 names
   * of a run. An event counts once in each of its runs.
   * @throws AppError as `search`
   */
  runScores(projectId: string, query: RunScoresQuery, options?: QueryOptions): Promise<readonly RunScore[]>;

  /**
   * Returns the booleans and texts in `feedback.ground_truth` of the events of sessions. Texts of more than 1,000 bytes as
   * JSON are left out, and events without `ground_truth`.
   * @throws AppError as `search`
   */
  groundTruths(projectId: string, query: GroundTruthQuery, options?: QueryOptions): Promise<GroundTruths>;

  /**
   * Aggregates a value of matching events by buckets of their start time and by groups. A text to group by has at most
   * 256 characters: events with a longer one, a list or an object are in the group of those without the field.
   * @throws AppError as `search`
   */
  chart(projectId: string, query: ChartQuery, options?: QueryOptions): Promise<StoredChart>;

  /**
   * Returns the fields of events: at most 5,000, the most frequent first, of the values that are indexed; then those
   * of other values, long texts and lists, in the newest 500 events of at most 32 KiB. At most 1,000 datasets.
   * Events belong to runs as `sessionsOfRun` of the domain says.
   * @throws AppError as `search`
   */
  eventSchema(projectId: string, query: EventSchemaQuery, options?: QueryOptions): Promise<StoredEventSchema>;
}
