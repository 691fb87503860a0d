import type { SessionRollup } from '../event-store.js';
import { Binder } from './binder.js';
import type { Query } from './engine.js';
import { countedOnce, isReportedElsewhere, usageHashes } from './rollup-usage.js';
import type { TableNames } from './topology.js';

/** A roll-up as read; times are null when no event has them. */
export interface RollupRow {
  readonly session: string;
  readonly num_events: number;
  readonly num_model_events: number;
  readonly has_feedback: number;
  readonly cost: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly first_start: number | null;
  readonly last_end: number | null;
}

const AMOUNTS = ['cost', 'prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** Sums over the visible events of the sessions, the sessions themselves left out. No usage is counted twice: see `countedOnce`. */
export function rollupQuery(tables: TableNames, projectId: string, sessionIds: readonly string[]): Query {
  const binder = new Binder();
  const facts = factsQuery(tables, projectId, sessionIds, binder);
  const columns = [
    'toString(session_id) AS session',
    'count() AS num_events',
    'countIf(is_model) AS num_model_events',
    'max(is_rated) AS has_feedback',
    ...AMOUNTS.map((amount) => `sum(${countedOnce(amount, 'elsewhere')}) AS ${amount}`),
    'toNullable(min(start_time)) AS first_start',
    'max(end_time) AS last_end',
  ];
  const seen = `seen AS (SELECT arrayJoin(${usageHashes()}) FROM facts)`;
  const rows = `SELECT *, ${isReportedElsewhere('seen')} AS elsewhere FROM facts`;
  const sql = `WITH facts AS (${facts}), ${seen} SELECT ${columns.join(', ')} FROM (${rows}) GROUP BY session_id`;
  return { sql, bindings: binder.bindings };
}

/** One row for every event, with what decides whether its usage counts. */
function factsQuery(tables: TableNames, projectId: string, sessionIds: readonly string[], binder: Binder): string {
  const columns = [
    'session_id',
    'toString(event_id) AS id',
    `ifNull(parent_id, '') AS parent`,
    `event_type = 'model' AS is_model`,
    `feedback != '{}' AS is_rated`,
    ...AMOUNTS.map((amount) => `if(is_model, ${metadataNumber([amount], binder)}, 0) AS own_${amount}`),
    ...AMOUNTS.map((amount) => `if(is_model, 0, ${metadataNumber(['aggregate_usage', amount], binder)}) AS sum_${amount}`),
    `${metadataText('trace_id', binder)} AS trace`,
    `${metadataText('response_id', binder)} AS response`,
    `attrs[${binder.text('config.model')}] AS model`,
    'start_time',
    'end_time',
  ];
  const where = [
    `project_id = ${binder.text(projectId)}`,
    `session_id IN ${binder.bind(sessionIds, 'Array(UUID)')}`,
    `event_type != 'session'`,
  ];
  return `SELECT ${columns.join(', ')} FROM ${tables.events} FINAL WHERE ${where.join(' AND ')}`;
}

export function readRollup(row: RollupRow): SessionRollup {
  return {
    numEvents: row.num_events,
    numModelEvents: row.num_model_events,
    hasFeedback: row.has_feedback === 1,
    cost: row.cost,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    totalTokens: row.total_tokens,
    firstStart: row.first_start ?? undefined,
    lastEnd: row.last_end ?? undefined,
  };
}

/** A finite number of `metadata`, 0 when it has none: from the index where it is complete, else from the text. */
function metadataNumber(keys: readonly string[], binder: Binder): string {
  const leaf = binder.text(['metadata', ...keys].join('.'));
  const raw = `JSONExtractRaw(metadata, ${keys.map((key) => binder.text(key)).join(', ')})`;
  return `if(complete, nums[${leaf}], arrayMap(n -> if(isFinite(n), n, 0), [toFloat64OrZero(trimBoth(${raw}, '"'))])[1])`;
}

/** A text of `metadata`, empty when it has none. */
function metadataText(key: string, binder: Binder): string {
  return `if(complete, attrs[${binder.text(`metadata.${key}`)}], JSONExtractString(metadata, ${binder.text(key)}))`;
}
