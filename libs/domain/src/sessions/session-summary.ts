import type { EventType } from '../events/event.js';

/** How many events of a session have a type and a name. */
export interface EventNameCount {
  event_type: EventType;
  /** At most 200 characters. */
  event_name: string;
  count: number;
}

/** The values of one metric over a session and its events. */
export interface MetricTotals {
  name: string;
  count: number;
  sum: number;
  min: number;
  max: number;
}

/**
 * The events of a session that started on one day (UTC). The optional counts are absent from summaries of earlier
 * releases, and may be where they are 0.
 */
export interface DayCount {
  /** Such as `2026-11-22`. */
  day: string;
  num_events: number;
  num_model_events: number;
  /** Events that ended with an error. */
  num_errors?: number;
  /** What the model events report, added up. */
  prompt_tokens?: number;
  completion_tokens?: number;
  total_tokens?: number;
  /** USD, of the model events; null when the cost of one that reports tokens is unknown. */
  cost?: number | null;
  /** The models of these; absent when the cost is known. */
  unpriced_models?: string[];
}

/** The counts of a {@link DayCount} that events report in their metadata, under these names. */
export const REPORTED_AMOUNTS = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cost',
] as const satisfies readonly (keyof DayCount)[];
export type ReportedAmount = (typeof REPORTED_AMOUNTS)[number];

/** What is known of a session without its inputs and outputs, in bounded size. Field names are those of the API. */
export interface SessionSummary {
  session_id: string;
  session_name: string;
  source: string;
  /** Unix milliseconds. */
  start_time: number;
  /** Of the session, or else of its last event; null while unknown. */
  end_time: number | null;
  /** Milliseconds; null while unknown. */
  duration: number | null;
  /** Events other than the session itself. */
  num_events: number;
  num_model_events: number;
  num_tool_events: number;
  num_chain_events: number;
  num_errors: number;
  event_names: EventNameCount[];
  metrics: MetricTotals[];
  run_ids: string[];
  /** Newest first. */
  days: DayCount[];
}
