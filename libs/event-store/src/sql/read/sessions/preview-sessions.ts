import { visible } from '../rows/visible.js';
import type { PreviewedSession, SessionPreview } from '../../../sessions-port.js';
import { startHour } from '@assay/event-rows';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import type { RowKey } from '../rows/row-key.js';
import { byKeys } from '../rows/row-queries.js';

const HOUR = 3_600;
const EMPTY = '{}';

/** Which sessions are shown, and how much of each. */
export interface PreviewScope {
  readonly projectId: string;
  readonly sessions: readonly PreviewedSession[];
  readonly chars: number;
}

/** The beginning of the payload of a session or of its root event. */
export type PreviewRow = RowKey & {
  readonly inputs_start?: string | null;
  readonly outputs_start?: string | null;
};

/** Reads what sessions began with, in two statements. */
export async function readSessionPreviews(
  runner: QueryRunner,
  tables: TableNames,
  scope: PreviewScope,
): Promise<ReadonlyMap<string, SessionPreview>> {
  const keys = await readFirstRows(runner, tables, scope);
  if (keys.length === 0) return new Map();
  return previewsOf(await runner.query<PreviewRow>(previewsQuery(tables, scope, keys)));
}

/** Reads the keys of each session's own row and of its root event; none when nothing of them is shown. */
export async function readFirstRows(
  runner: QueryRunner,
  tables: TableNames,
  scope: PreviewScope,
): Promise<readonly RowKey[]> {
  if (scope.sessions.length === 0 || scope.chars === 0) return [];
  return runner.query<RowKey>(firstRowsQuery(tables, scope));
}

/** A row that can be the first one of its session. */
export type FirstRow = RowKey & { readonly parent_id: string | null; readonly start_time: number };

/** As {@link readFirstRows}, of sessions whose rows are known, by their ids. */
export function firstRowsAmong(
  sessions: readonly PreviewedSession[],
  rowsOf: ReadonlyMap<string, readonly FirstRow[]>,
): readonly RowKey[] {
  return sessions.flatMap(({ sessionId, startTime }) => {
    const hour = startHour(startTime);
    const isNear = ({ key_hour: of }: RowKey) => of === hour || of === hour + HOUR;
    const rows = (rowsOf.get(sessionId) ?? []).filter(isNear);
    const firsts = [firstOf(rows.filter(isSession)), firstOf(rows.filter((row) => !isSession(row)))];
    return firsts.filter((row) => row !== undefined);
  });
}

/** A session may have thousands of rows: they are not sorted for one of them. */
function firstOf(rows: readonly FirstRow[]): FirstRow | undefined {
  let [first] = rows;
  for (const row of rows) if (first && rootFirst(row, first) < 0) first = row;
  return first;
}

/** The order of `firstRowsQuery`. */
function rootFirst(one: FirstRow, other: FirstRow): number {
  return (
    Number(isBelow(one)) - Number(isBelow(other)) ||
    one.start_time - other.start_time ||
    (one.key_event < other.key_event ? -1 : 1)
  );
}

function isBelow({ parent_id: parent, key_session: session }: FirstRow): boolean {
  return parent !== null && parent !== '' && parent !== session;
}

/** Returns what sessions began with, by their ids. The session itself has precedence over its root event. */
export function previewsOf(rows: readonly PreviewRow[]): ReadonlyMap<string, SessionPreview> {
  const filled = rows.flatMap(({ inputs_start: inputs, outputs_start: outputs, ...key }) =>
    typeof inputs === 'string' && typeof outputs === 'string' && (inputs !== EMPTY || outputs !== EMPTY)
      ? [{ ...key, inputs, outputs }]
      : [],
  );
  const byPrecedence = filled.sort((one, other) => Number(isSession(one)) - Number(isSession(other)));
  return new Map(
    byPrecedence.map(({ key_session, key_event, inputs, outputs }) => [
      key_session,
      { eventId: key_event, inputs, outputs },
    ]),
  );
}

function isSession({ key_event, key_session }: RowKey): boolean {
  return key_event === key_session;
}

/** The keys of each session's own row and of its root event. */
function firstRowsQuery(tables: TableNames, { projectId, sessions }: PreviewScope): Query {
  const binder = new Binder();
  const hoursOfSessions = sessions.flatMap(({ sessionId, startTime }) => {
    const first = startHour(startTime);
    return [first, first + HOUR].map((hour) => ({ hour, sessionId }));
  });
  const hours = binder.bind(
    hoursOfSessions.map(({ hour }) => new Date(hour * 1_000).toISOString().slice(0, 19).replace('T', ' ')),
    "Array(DateTime('UTC'))",
  );
  const ids = binder.bind(
    hoursOfSessions.map(({ sessionId }) => sessionId),
    'Array(UUID)',
  );
  // Older servers know `IN` with constants only.
  const isBelow = `(ifNull(parent_id, '') != '' AND ifNull(parent_id, '') != toString(session_id))`;
  return {
    sql:
      `SELECT toString(first.1) AS key_event, toString(session_id) AS key_session, toUnixTimestamp(first.2) AS key_hour FROM ` +
      `(SELECT session_id, event_id = session_id AS is_session, ` +
      `argMin((event_id, start_hour), (${isBelow}, start_time, toString(event_id))) AS first FROM ${visible(tables.events)} ` +
      `PREWHERE project_id = ${binder.text(projectId)} AND (start_hour, session_id) IN arrayZip(${hours}, ${ids}) ` +
      `GROUP BY session_id, is_session)`,
    bindings: binder.bindings,
  };
}

function previewsQuery(
  tables: TableNames,
  { projectId, chars }: PreviewScope,
  keys: readonly RowKey[],
): Query {
  const binder = new Binder();
  const length = binder.bind(String(chars), 'UInt64');
  const columns = `leftUTF8(inputs, ${length}) AS inputs_start, leftUTF8(outputs, ${length}) AS outputs_start`;
  return byKeys(tables.payloads, columns, projectId, { keys, binder });
}
