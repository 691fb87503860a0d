import { visible } from '../rows/visible.js';
import type { JsonObject } from '@assay/domain';
import type {
  SessionBounds,
  SessionTreePage,
  SessionTreeQuery,
  SessionTreeRow,
} from '../../../sessions-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { numberAt } from '../../filter/number-at.js';
import { exactText, numberOf, storedValue } from '../../filter/stored-value.js';
import type { TableNames } from '../../schema/topology.js';
import { EVENT_READER, NO_PAYLOAD, type StoredRow } from '../rows/event-reader.js';
import { ofSessions } from '../rows/of-sessions.js';
import { KEY_COLUMNS } from '../rows/row-key.js';

/** Longest name and error of a tree, in characters. */
const MAX_TEXT = 200;
/** Longest JSON text of metrics that is read, in bytes. */
const MAX_METRICS_BYTES = 2_048;

interface BoundsRow {
  readonly watermark: string;
  readonly num_rows: number;
  readonly first_hour: number;
  readonly last_hour: number;
}

interface TreeRow {
  readonly id: string;
  readonly parent: string | null;
  readonly type: string;
  readonly name: string;
  readonly start: number;
  readonly took: number | null;
  readonly failure: string | null;
  readonly kind: string;
  readonly model: string;
  readonly tokens: number | null;
  readonly price: number | null;
  /** JSON text; empty without metrics. */
  readonly scores: string;
}

/** The rows of one session. */
export interface SessionTreeScope extends SessionTreeQuery {
  readonly projectId: string;
}

/** Reads where the rows of a session are, without de-duplicating them. */
export async function readSessionBounds(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionId: string,
): Promise<SessionBounds | undefined> {
  const binder = new Binder();
  const scope = ofSessions(tables, { projectId, sessionIds: [sessionId] }, binder);
  const sql =
    'SELECT count() AS num_rows, toString(sum(toUInt128(v) + 1)) AS watermark, toUnixTimestamp(min(start_hour)) AS first_hour, ' +
    'toUnixTimestamp(max(start_hour)) AS last_hour FROM ' +
    `(SELECT start_hour, max(ver) AS v FROM ${tables.events} PREWHERE ${scope} GROUP BY start_hour, event_id)`;
  const [row] = await runner.query<BoundsRow>({ sql, bindings: binder.bindings });
  if (row === undefined || Number(row.num_rows) === 0) return undefined;
  return { watermark: row.watermark, firstHour: row.first_hour, lastHour: row.last_hour };
}

/** Reads a page of the events of a session, and the session itself on the first page. */
export async function readSessionTree(
  runner: QueryRunner,
  tables: TableNames,
  scope: SessionTreeScope,
): Promise<SessionTreePage> {
  const rows = await runner.query<TreeRow>(treeQuery(tables, scope));
  const [own] = await runner.query<StoredRow>(ownRowQuery(tables, scope));
  return {
    rows: rows.slice(0, scope.limit).map(toTreeRow),
    hasMore: rows.length > scope.limit,
    ...(own && { session: EVENT_READER.read(own, NO_PAYLOAD) }),
  };
}

function treeQuery(tables: TableNames, scope: SessionTreeScope): Query {
  const binder = new Binder();
  const { after, limit } = scope;
  const columns = [
    'toString(event_id) AS id',
    'parent_id AS parent',
    'event_type AS type',
    `leftUTF8(event_name, ${MAX_TEXT}) AS name`,
    'start_time AS start',
    `${numberOf('duration')} AS took`,
    `leftUTF8(error, ${MAX_TEXT}) AS failure`,
    `leftUTF8(${firstText(['metadata.span_kind', 'metadata.operation_name'], binder)}, ${MAX_TEXT}) AS kind`,
    `leftUTF8(attrs[${binder.text('config.model')}], ${MAX_TEXT}) AS model`,
    `${numberAt('metadata.total_tokens', binder)} AS tokens`,
    `${numberAt('metadata.cost', binder)} AS price`,
    `if(length(metrics) BETWEEN 3 AND ${MAX_METRICS_BYTES}, metrics, '') AS scores`,
  ];
  const conditions = ['event_id != session_id', ...(after ? [followsStart(after, binder)] : [])];
  return {
    sql:
      `SELECT ${columns.join(', ')} ${rowsOfSession(tables, scope, binder)} WHERE ${conditions.join(' AND ')} ` +
      `ORDER BY start, id LIMIT ${binder.bind(String(limit + 1), 'UInt64')}`,
    bindings: binder.bindings,
  };
}

/** The first text at these paths of the narrow table that is not empty: from the index where that is complete, otherwise from the stored text. */
function firstText(paths: readonly string[], binder: Binder): string {
  const firstOf = (read: (path: string) => string) =>
    `coalesce(${paths.map((path) => `nullIf(${read(path)}, '')`).join(', ')})`;
  const indexed = firstOf((path) => `attrs[${binder.text(path)}]`);
  return `ifNull(if(complete, ${indexed}, ${firstOf(textAt(binder))}), '')`;
}

function textAt(binder: Binder) {
  return (path: string): string => {
    const stored = storedValue(path);
    return stored === undefined ? 'NULL' : exactText(stored, binder);
  };
}

function ownRowQuery(tables: TableNames, scope: SessionTreeScope): Query {
  const binder = new Binder();
  return {
    sql:
      `SELECT ${KEY_COLUMNS}, ${EVENT_READER.narrowColumns} ${rowsOfSession(tables, scope, binder)} ` +
      'WHERE event_id = session_id ORDER BY version DESC LIMIT 1',
    bindings: binder.bindings,
  };
}

function followsStart(
  { startTime, eventId }: { startTime: number; eventId: string },
  binder: Binder,
): string {
  const start = binder.number(startTime);
  return `(start_time > ${start} OR (start_time = ${start} AND toString(event_id) > ${binder.text(eventId)}))`;
}

/** The condition on the sort key precedes de-duplication, because all versions of a row share the key. */
function rowsOfSession(
  tables: TableNames,
  { projectId, sessionId, bounds }: SessionTreeScope,
  binder: Binder,
): string {
  const hour = (seconds: number) => `toDateTime(${binder.bind(String(seconds), 'UInt64')}, 'UTC')`;
  const onKey =
    `project_id = ${binder.text(projectId)} AND start_hour >= ${hour(bounds.firstHour)} ` +
    `AND start_hour <= ${hour(bounds.lastHour)} AND session_id = ${binder.bind(sessionId, 'UUID')}`;
  return `FROM ${visible(tables.events)} PREWHERE ${onKey}`;
}

function toTreeRow(row: TreeRow): SessionTreeRow {
  return {
    eventId: row.id,
    parentId: row.parent,
    type: row.type,
    name: row.name,
    startTime: row.start,
    duration: row.took,
    error: row.failure,
    kind: row.kind,
    model: row.model,
    tokens: row.tokens,
    cost: row.price,
    scores: row.scores === '' ? {} : scoresOf(row.scores),
  };
}

function scoresOf(json: string): Record<string, number | boolean> {
  const scores = Object.entries(JSON.parse(json) as JsonObject).filter(
    (entry): entry is [string, number | boolean] =>
      typeof entry[1] === 'number' || typeof entry[1] === 'boolean',
  );
  return Object.fromEntries(scores);
}
