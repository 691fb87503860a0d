import type { EventOrigin, EventType } from '@assay/domain';
import { SUMMARY_LIMITS } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { metricPairs } from './metric-totals.js';
import { ofSessions } from '../rows/of-sessions.js';
import { NAME_LENGTH } from './session-groups-query.js';

/** A session as read; tuples are arrays. */
export interface SummaryRow {
  readonly session: string;
  readonly watermark: string;
  readonly num_rows: number;
  readonly has_own: number;
  readonly own: readonly [
    name: string,
    source: string,
    startTime: number,
    endTime: number | null,
    origin: EventOrigin,
  ];
  readonly num_events: number;
  readonly num_model_events: number;
  readonly num_tool_events: number;
  readonly num_errors: number;
  readonly first_start: number;
  readonly last_end: number | null;
  readonly names: readonly (readonly [type: EventType, name: string, count: number])[];
  readonly metrics: readonly (readonly [
    name: string,
    count: number,
    sum: number,
    min: number,
    max: number,
  ])[];
  readonly run_ids: readonly string[];
}

/**
 * Selects one row for each of the sessions. The newest version of each row is picked here instead of by `FINAL`,
 * because tombstones count for the watermark.
 */
export function summaryQuery(tables: TableNames, projectId: string, sessionIds: readonly string[]): Query {
  const binder = new Binder();
  const columns = [
    'toString(session_id) AS session',
    'count() AS num_rows',
    // A tombstone above all versions counts 2^53, so that the sum needs more than 64 bits.
    'toString(sum(toUInt128(v) + 1)) AS watermark',
    'countIf(is_own) AS has_own',
    'argMaxIf((name, source, start_time, end_time, origin), v, is_own) AS own',
    'countIf(is_event) AS num_events',
    `countIf(is_event AND event_type = 'model') AS num_model_events`,
    `countIf(is_event AND event_type = 'tool') AS num_tool_events`,
    'countIf(is_event AND failed) AS num_errors',
    'minIf(start_time, is_event) AS first_start',
    'maxIf(end_time, is_event) AS last_end',
    `arraySlice(arraySort(n -> (-n.3, n.2, n.1), arrayMap((k, n) -> (k.1, k.2, n), ${mapOf('used_names')})), 1, ${SUMMARY_LIMITS.names}) AS names`,
    'sumMapIf([(event_type, name)], [toUInt64(1)], is_event) AS used_names',
    `arraySlice(arraySort(n -> n.1, arrayMap((k, n) -> (k, n, ${valueFor('sums')}, ${valueFor('minima')}, ${valueFor('maxima')}), ${mapOf('counts')})), 1, ${SUMMARY_LIMITS.metrics}) AS metrics`,
    'sumMapIf(metric_names, arrayMap(n -> toUInt64(1), metric_names), visible) AS counts',
    'sumMapIf(metric_names, metric_values, visible) AS sums',
    'minMapIf(metric_names, metric_values, visible) AS minima',
    'maxMapIf(metric_names, metric_values, visible) AS maxima',
    `arraySlice(arraySort(groupUniqArrayIf(run_id, visible AND run_id != '')), 1, ${SUMMARY_LIMITS.runIds}) AS run_ids`,
  ];
  return {
    sql: `SELECT ${columns.join(', ')} FROM (${factsQuery(tables, projectId, sessionIds, binder)}) GROUP BY session_id`,
    bindings: binder.bindings,
  };
}

function mapOf(name: string): string {
  return `${name}.1, ${name}.2`;
}

/** Keys whose values add up to zero are absent from a sum, so that its keys are looked up. */
function valueFor(name: string): string {
  return `${name}.2[indexOf(${name}.1, k)]`;
}

/** One row for every location of an event, as its newest version says. */
function factsQuery(
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
  binder: Binder,
): string {
  const newest = [
    'event_type',
    `substringUTF8(event_name, 1, ${NAME_LENGTH})`,
    `substringUTF8(source, 1, ${NAME_LENGTH})`,
    'start_time',
    'end_time',
    'origin',
    'isNotNull(error)',
    'run_id',
    'metrics',
    'is_deleted',
  ];
  const parts = ['event_type', 'name', 'source', 'start_time', 'end_time', 'origin', 'failed', 'run_id'];
  const columns = [
    'session_id',
    'v',
    ...parts.map((name, index) => `newest.${index + 1} AS ${name}`),
    `newest.${newest.length} = 0 AS visible`,
    `visible AND newest.1 = 'session' AS is_own`,
    `visible AND newest.1 != 'session' AS is_event`,
    ...metricPairs('newest.9'),
  ];
  const versions =
    `SELECT session_id, max(ver) AS v, argMax((${newest.join(', ')}), (ver, is_deleted)) AS newest ` +
    `FROM ${tables.events} PREWHERE ${ofSessions(tables, { projectId, sessionIds }, binder)} GROUP BY session_id, start_hour, event_id`;
  return `SELECT ${columns.join(', ')} FROM (${versions})`;
}
