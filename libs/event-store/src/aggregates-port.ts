import type { QueryOptions } from './row-location.js';
import type { RunMembers } from './run-members.js';
import type { DayCount } from './session-summary.js';
import type {
  ChartPoint,
  ChartValue,
  DecidedEvents,
  EvaluationDecision,
  Filter,
  GroundTruths,
  RunEvent,
  RunLinks,
} from '@assay/domain';

/** Which events of runs to read. */
export interface RunEventsQuery {
  /** At most 100. */
  readonly runs: readonly RunLinks[];
  /** An event is selected when all hold, and its start is within the bounds. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** An event has the composites of those that it satisfies. */
  readonly conditions?: readonly CompositeCondition[];
  /** Whether to find out which events may have a ground truth; otherwise all may. */
  readonly findGroundTruths?: boolean;
}

/** Composite metrics that apply to the events that satisfy all filters. */
export interface CompositeCondition {
  /** Names that no other condition has. */
  readonly composites: readonly string[];
  readonly filters: readonly Filter[];
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

/** Which decisions about a metric to count. */
export interface DecisionQuery {
  readonly metricId: string;
  /** Bounds of the time of the decision, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface DecisionCount {
  readonly decision: EvaluationDecision;
  readonly events: number;
  /** Events by the code of their failure; empty for decisions without failures. */
  readonly errorCodes: Readonly<Record<string, number>>;
  /** US dollars; null when that of one is unknown. */
  readonly cost: number | null;
}

/** The values of one field of matching events. */
export interface FieldValuesQuery {
  /** A field, or a path into an object. */
  readonly field: string;
  /** Beginning of the value as text; upper and lower case are equal. */
  readonly prefix?: string;
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** At most 100. */
  readonly limit: number;
}

/** Longest value that is listed, in characters. */
export const MAX_VALUE_CHARS = 256;

/** A value of a field; booleans are the texts `true` and `false`. */
export interface FieldValue {
  readonly value: string | number;
  /** Events that have it. */
  readonly count: number;
}

export interface FieldValues {
  /** The most frequent first, then by text. */
  readonly values: readonly FieldValue[];
  /** Whether events were left out: all but about 200,000 newest ones, or those whose value is not indexed. */
  readonly isPartial: boolean;
}

/** What a project used on one day (UTC). */
export interface UsageDay extends DayCount {
  /** Sessions that have an event of their own and started on the day. */
  readonly sessions: number;
}

/** What many events amount to: those of runs, or of a range of time. */
export interface AggregatesPort {
  /**
   * Returns every event that may belong to one of the runs, each once, in any order: those that name one, and all
   * events of the sessions that name one or that a run lists. `sessionsOfRun` of the domain decides. Metrics are empty unless
   * an event is selected.
   * @throws AppError as `EventsPort.search`
   */
  runEvents(projectId: string, query: RunEventsQuery, options?: QueryOptions): Promise<readonly RunEvent[]>;

  /**
   * Returns the averages of the numbers and booleans among the metrics of runs, by run, then by name: at most 200 names
   * of a run. An event counts once in each of its runs.
   * @throws AppError as `EventsPort.search`
   */
  runScores(projectId: string, query: RunScoresQuery, options?: QueryOptions): Promise<readonly RunScore[]>;

  /**
   * Returns the booleans and texts in `feedback.ground_truth` of the events of sessions. Texts of more than 1,000 bytes as
   * JSON are left out, and events without `ground_truth`.
   * @throws AppError as `EventsPort.search`
   */
  groundTruths(projectId: string, query: GroundTruthQuery, options?: QueryOptions): Promise<GroundTruths>;

  /**
   * Aggregates a value of matching events by buckets of their start time and by groups. A text to group by has at most
   * 256 characters: events with a longer one, a list or an object are in the group of those without the field.
   * @throws AppError as `EventsPort.search`
   */
  chart(projectId: string, query: ChartQuery, options?: QueryOptions): Promise<StoredChart>;

  /**
   * Returns the fields of events: at most 5,000, the most frequent first, of the values that are indexed; then those
   * of other values, long texts and lists, in the newest 500 events of at most 32 KiB. At most 1,000 datasets.
   * Events belong to runs as `sessionsOfRun` of the domain says.
   * @throws AppError as `EventsPort.search`
   */
  eventSchema(projectId: string, query: EventSchemaQuery, options?: QueryOptions): Promise<StoredEventSchema>;

  /** Returns the most frequent values of a field. @throws AppError as `EventsPort.search` */
  fieldValues(projectId: string, query: FieldValuesQuery, options?: QueryOptions): Promise<FieldValues>;

  /**
   * Returns what a project used on each day from `first` to `last` (such as `2026-11-22`), oldest first; days without
   * events and sessions are absent.
   */
  usageByDay(
    projectId: string,
    days: { readonly first: string; readonly last: string },
    options?: QueryOptions,
  ): Promise<readonly UsageDay[]>;

  /** Counts the events of a metric by their newest decision; a decision without events is absent. */
  countDecisions(
    projectId: string,
    query: DecisionQuery,
    options?: QueryOptions,
  ): Promise<readonly DecisionCount[]>;

  /**
   * Returns the newest decisions about events by the name of the metric, with the ids of the events whose evaluation is
   * pending, or ended without a score other than by a rule of the metric. Unknown ids count for nothing. Of more than
   * 20,000 ids an entry may be split.
   * @throws AppError as `EventsPort.search`
   */
  decidedEvents(
    projectId: string,
    eventIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly DecidedEvents[]>;
}
