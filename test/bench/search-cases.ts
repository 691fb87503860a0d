import type { Call } from './call-all.js';
import type { SearchLoad } from './search-load.js';

/** What a query should take among 1,000,000 events. */
export interface SearchTarget {
  /** 99th percentile in milliseconds. */
  readonly p99: number;
  /** Ratio to the median of plain SQL. */
  readonly timesSql?: number;
}

/** A query of the product, and the same question in plain SQL on one merged table without versions, and on a narrow one. */
export interface SearchCase {
  readonly name: string;
  readonly call: Call;
  readonly sql: string;
  /** Selects, counts and averages in `plain.narrow`; reads events from `plain.events` by their keys. */
  readonly floor: string;
  readonly target: SearchTarget;
}

/** Columns of the sort key after the project. */
const KEY = 'start_hour, session_id, event_id';
const HOUR_MS = 3_600_000;
const EXPORTED = 7_500;

/** The main queries, each with the statement that a table of the same rows, written once, would need. */
export function searchCases(load: SearchLoad, projectId: string): SearchCase[] {
  const mine = `FROM plain.events WHERE project_id = '${projectId}'`;
  const page = (condition: string, limit = 100) =>
    `SELECT *, (SELECT count() ${mine}${condition}) AS total ${mine}${condition} ORDER BY start_time DESC LIMIT ${limit}`;
  const narrow = `FROM plain.narrow WHERE project_id = '${projectId}'`;
  const documents = (condition: string, from = narrow) =>
    `SELECT * ${mine} AND (${KEY}) IN (SELECT ${KEY} ${from}${condition})`;
  const narrowPage = (condition: string, limit = 100) =>
    `SELECT *, (SELECT count() ${narrow}${condition}) AS total ` +
    `${mine} AND (${KEY}) IN (SELECT ${KEY} ${narrow}${condition} ORDER BY start_time DESC LIMIT ${limit})`;
  const containing = `positionCaseInsensitive(outputs, '${load.rareWord}') > 0`;
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
      floor: documents(` AND event_id = '${load.eventId}'`),
      target: { p99: 25, timesSql: 1.5 },
    },
    {
      name: 'session tree of 10',
      call: get(`/v1/sessions/${load.sessionId}`),
      sql: `SELECT * ${mine} AND session_id = '${load.sessionId}'`,
      floor: documents(` AND session_id = '${load.sessionId}'`),
      target: { p99: 30, timesSql: 1.5 },
    },
    {
      name: 'session by search',
      call: search(is('session_id', load.sessionId)),
      sql: page(` AND session_id = '${load.sessionId}'`),
      floor: narrowPage(` AND session_id = '${load.sessionId}'`),
      target: { p99: 40, timesSql: 2 },
    },
    {
      name: 'newest 100',
      call: search(undefined),
      sql: page(''),
      floor: narrowPage(''),
      target: { p99: 60, timesSql: 1.5 },
    },
    {
      name: 'metadata key, 1 in 1,000',
      call: search(is('metadata.customer', 'customer-7')),
      sql: page(` AND has(kv, 'metadata.customer=customer-7')`),
      floor: narrowPage(` AND has(kv, 'metadata.customer=customer-7')`),
      target: { p99: 90, timesSql: 1.5 },
    },
    {
      name: 'metadata key, 1 in 4',
      call: search(is('metadata.tier', 'tier-2')),
      sql: page(` AND has(kv, 'metadata.tier=tier-2')`),
      floor: narrowPage(` AND has(kv, 'metadata.tier=tier-2')`),
      target: { p99: 170, timesSql: 1.5 },
    },
    {
      name: 'metric range, 1 %',
      call: search({ field: 'metrics.score', operator: 'greater than', value: 0.99, type: 'number' }),
      sql: page(` AND nums['metrics.score'] > 0.99`),
      floor: narrowPage(` AND nums['metrics.score'] > 0.99`),
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
      sql: page(` AND ${containing}`),
      // One pass: the keys of all that contain it, whose number is the total.
      floor: `SELECT ${KEY}, start_time, count() OVER () AS total ${mine} AND ${containing} ORDER BY start_time DESC LIMIT 100`,
      target: { p99: 250, timesSql: 1.5 },
    },
    {
      name: `export of ${EXPORTED.toLocaleString('en')}`,
      call: { method: 'POST', path: '/v1/events/export', body: { limit: EXPORTED } },
      sql: page('', EXPORTED),
      floor: narrowPage('', EXPORTED),
      target: { p99: 450, timesSql: 1.5 },
    },
    {
      name: 'schema',
      call: get('/v1/events/schema'),
      sql:
        'SELECT event_type, event_name, groupUniqArrayArray(arrayConcat(mapKeys(attrs), mapKeys(nums))) AS names ' +
        `${mine} GROUP BY event_type, event_name`,
      floor: `SELECT event_type, event_name, groupUniqArrayArray(names) ${narrow} GROUP BY event_type, event_name`,
      target: { p99: 2_000 },
    },
    ...runCases(load, mine, narrow),
    {
      name: 'chart by hour over a week',
      call: get(`/v1/events/chart?${chartQuery(load).toString()}`),
      sql: `SELECT intDiv(start_time, ${HOUR_MS}) AS bucket, avg(nums['metrics.score']) AS value ${mine} GROUP BY bucket`,
      floor: `SELECT intDiv(start_time, ${HOUR_MS}) AS bucket, avg(nums['metrics.score']) AS value ${narrow} GROUP BY bucket`,
      target: { p99: 120 },
    },
  ];
}

function chartQuery({ from, to }: SearchLoad): URLSearchParams {
  const dateRange = JSON.stringify({ $gte: from, $lte: to });
  return new URLSearchParams({ metric: 'score', aggregation: 'average', bucket: 'hour', dateRange });
}

function runCases({ runs }: SearchLoad, mine: string, narrow: string): SearchCase[] {
  const scores = (ids: readonly string[]) =>
    'SELECT run_id, event_id, session_id, event_name, event_type, start_time, datapoint_id, metrics ' +
    `${mine} AND run_id IN (${ids.map((id) => `'${id}'`).join(', ')})`;
  const perDatapoint = (ids: readonly string[]) =>
    `SELECT run_id, datapoint_id, event_name, count(), avg(nums['metrics.score']) ${narrow} ` +
    `AND run_id IN (${ids.map((id) => `'${id}'`).join(', ')}) GROUP BY run_id, datapoint_id, event_name`;
  return Object.entries(runs).flatMap(([size, [one, other]]) => [
    {
      name: `run result, ${size}`,
      call: { method: 'GET', path: `/v1/runs/${one}/result` },
      sql: scores([one]),
      floor: perDatapoint([one]),
      target: { p99: size === 'large' ? 110 : 50, timesSql: 1.5 },
    },
    {
      name: `compare two runs, ${size}`,
      call: { method: 'GET', path: `/v1/runs/${other}/compare/${one}` },
      sql: scores([one, other]),
      floor: perDatapoint([one, other]),
      target: { p99: size === 'large' ? 170 : 100, timesSql: 1.5 },
    },
  ]);
}
