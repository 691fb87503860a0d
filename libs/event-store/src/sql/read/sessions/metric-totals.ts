import { SUMMARY_LIMITS, type MetricTotals } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { readOfSessions } from './read-of-sessions.js';
import { ofSessions } from '../rows/of-sessions.js';
import { NAME_LENGTH, type SessionsScope } from './session-groups-query.js';

interface MetricRow {
  readonly session: string;
  readonly totals: readonly [name: string, count: number, sum: number, min: number, max: number];
}

/**
 * Columns that turn JSON text into the names and values of its numbers and booleans; a name is cut, so that it can be
 * there twice.
 */
export function metricPairs(json: string): readonly string[] {
  const value = "multiIf(kv.2 = 'true', 1., kv.2 = 'false', 0., toFloat64OrNull(kv.2))";
  const values = `arrayMap(kv -> (substringUTF8(kv.1, 1, ${NAME_LENGTH}), ${value}), JSONExtractKeysAndValuesRaw(${json}))`;
  return [
    `arrayFilter(kv -> isNotNull(kv.2) AND isFinite(kv.2), ${values}) AS metric_pairs`,
    'arrayMap(kv -> kv.1, metric_pairs) AS metric_names',
    'arrayMap(kv -> assumeNotNull(kv.2), metric_pairs) AS metric_values',
  ];
}

/** Returns the first metrics of sessions by name, by session id; a session without metrics is absent. */
export async function readMetricTotals(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly MetricTotals[]>> {
  const found = new Map<string, MetricTotals[]>();
  const read = readOfSessions(sessionIds, {
    maxRowsOfSession: SUMMARY_LIMITS.metrics,
    read: (ids, limit) => engine.query<MetricRow>(totalsQuery(tables, { projectId, sessionIds: ids, limit })),
  });
  for await (const rows of read) {
    for (const { session, totals } of rows) {
      const [name, count, sum, min, max] = totals;
      const ofSession = found.get(session) ?? [];
      found.set(session, ofSession);
      ofSession.push({ name, count, sum, min, max });
    }
  }
  return found;
}

function totalsQuery(tables: TableNames, { projectId, sessionIds, limit }: SessionsScope): Query {
  const binder = new Binder();
  const newest =
    `SELECT session_id, metrics, is_deleted FROM ${tables.events} PREWHERE ${ofSessions(tables, { projectId, sessionIds }, binder)} ` +
    'ORDER BY session_id, start_hour, event_id, ver DESC, is_deleted DESC LIMIT 1 BY session_id, start_hour, event_id';
  const pairs = `SELECT session_id, ${metricPairs('metrics').join(', ')} FROM (${newest}) WHERE is_deleted = 0`;
  const totals = '(name, count(), sum(value), min(value), max(value)) AS totals';
  const sql =
    `SELECT toString(session_id) AS session, ${totals} FROM (${pairs}) ARRAY JOIN metric_names AS name, metric_values AS value ` +
    `GROUP BY session_id, name ORDER BY session_id, name LIMIT ${SUMMARY_LIMITS.metrics} BY session_id LIMIT ${limit}`;
  return { sql, bindings: binder.bindings };
}
