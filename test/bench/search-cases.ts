import type { Call } from './call-all.js';
import type { SearchLoad } from './search-load.js';

/** What a query should take among 1,000,000 events. */
export interface SearchTarget {
  /** 99th percentile in milliseconds. */
  readonly p99: number;
  /** Ratio to the median of plain SQL. */
  readonly timesSql?: number;
}

/** A query of the product, and the same question in plain SQL on one merged table without versions. */
export interface SearchCase {
  readonly name: string;
  readonly call: Call;
  readonly sql: string;
  readonly target: SearchTarget;
}

const HOUR_MS = 3_600_000;
const EXPORTED = 7_500;

/** The main queries, each with the statement that a table of the same rows, written once, would need. */
export function searchCases(load: SearchLoad, projectId: string): SearchCase[] {
  const mine = `FROM plain.events WHERE project_id = '${projectId}'`;
  const page = (condition: string, limit = 100) =>
    `SELECT *, (SELECT count() ${mine}${condition}) AS total ${mine}${condition} ORDER BY start_time DESC LIMIT ${limit}`;
  const search = (filter: object | undefined, limit = 100): Call => ({
    method: 'POST',
    path: '/v1/events/search',
    body: { filters: filter ? [filter] : [], limit },
  });
  const get = (path: string): Call => ({ method: 'GET', path });
  const is = (field: string, value: string) => ({ field, operator: 'is', value, type: 'string' });
  return [
    {
      name: 'event by id',
      call: get(`/v1/events/${load.eventId}`),
      sql: `SELECT * ${mine} AND event_id = '${load.eventId}'`,
      target: { p99: 25, timesSql: 1.5 },
    },
    {
      name: 'session tree of 10',
      call: get(`/v1/sessions/${load.sessionId}`),
      sql: `SELECT * ${mine} AND session_id = '${load.sessionId}'`,
      target: { p99: 30, timesSql: 1.5 },
    },
    {
      name: 'session by search',
      call: search(is('session_id', load.sessionId)),
      sql: page(` AND session_id = '${load.sessionId}'`),
      target: { p99: 40, timesSql: 2 },
    },
    {
      name: 'newest 100',
      call: search(undefined),
      sql: page(''),
      target: { p99: 60, timesSql: 1.5 },
    },
    {
      name: 'metadata key, 1 in 1,000',
      call: search(is('metadata.customer', 'customer-7')),
      sql: page(` AND has(kv, 'metadata.customer=customer-7')`),
      target: { p99: 90, timesSql: 1.5 },
    },
    {
      name: 'metadata key, 1 in 4',
      call: search(is('metadata.tier', 'tier-2')),
      sql: page(` AND has(kv, 'metadata.tier=tier-2')`),
      target: { p99: 170, timesSql: 1.5 },
    },
    {
      name: 'metric range, 1 %',
      call: search({ field: 'metrics.score', operator: 'greater than', value: 0.99, type: 'number' }),
      sql: page(` AND nums['metrics.score'] > 0.99`),
      target: { p99: 300, timesSql: 1.5 },
    },
    {
      name: 'contains on outputs',
      call: search({
        field: 'outputs.content',
        operator: 'contains',
        value: load.rareWord,
        type: 'string',
      }),
      sql: page(` AND positionCaseInsensitive(outputs, '${load.rareWord}') > 0`),
      target: { p99: 250, timesSql: 1.5 },
    },
    {
      name: `export of ${EXPORTED.toLocaleString('en')}`,
      call: { method: 'POST', path: '/v1/events/export', body: { limit: EXPORTED } },
      sql: page('', EXPORTED),
      target: { p99: 450, timesSql: 1.5 },
    },
    ...runCases(load, mine),
    {
      name: 'chart by hour over a week',
      call: get(`/v1/events/chart?${chartQuery(load).toString()}`),
      sql: `SELECT intDiv(start_time, ${HOUR_MS}) AS bucket, avg(nums['metrics.score']) AS value ${mine} GROUP BY bucket`,
      target: { p99: 120 },
    },
  ];
}

function chartQuery({ from, to }: SearchLoad): URLSearchParams {
  const dateRange = JSON.stringify({ $gte: from, $lte: to });
  return new URLSearchParams({ metric: 'score', aggregation: 'average', bucket: 'hour', dateRange });
}

function runCases({ runs }: SearchLoad, mine: string): SearchCase[] {
  const scores = (ids: readonly string[]) =>
    'SELECT run_id, event_id, session_id, event_name, event_type, start_time, datapoint_id, metrics ' +
    `${mine} AND run_id IN (${ids.map((id) => `'${id}'`).join(', ')})`;
  return Object.entries(runs).flatMap(([size, [one, other]]) => [
    {
      name: `run result, ${size}`,
      call: { method: 'GET', path: `/v1/runs/${one}/result` },
      sql: scores([one]),
      target: { p99: size === 'large' ? 110 : 50, timesSql: 1.5 },
    },
    {
      name: `compare two runs, ${size}`,
      call: { method: 'GET', path: `/v1/runs/${other}/compare/${one}` },
      sql: scores([one, other]),
      target: { p99: size === 'large' ? 170 : 100, timesSql: 1.5 },
    },
  ]);
}
