import { visible } from '../rows/visible.js';
import { EVENT_SHAPE, type Bucket } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { FieldRange, LocatedField } from '../../../events-port.js';
import { startHour } from '@assay/event-rows';

import { Binder } from '../../engine/binder.js';
import type { ClientRunner, QueryRunner } from '../../engine/engine.js';
import { pieceLength, readBytesOfPieces, readPieces } from '../../media/read-media.js';
import type { TableNames } from '../../schema/topology.js';
import { ofEvents } from '../rows/of-events.js';
import { KEY_COLUMNS, rowKeyText, type RowKey } from '../rows/row-key.js';
import { byKeys } from '../rows/row-queries.js';

interface FieldRow extends RowKey {
  readonly size: number;
  /** The field, unless it is long and refers to no media. */
  readonly text: string;
  /** 1: texts of the payload are stored as media. */
  readonly has_media: number;
  readonly version: number;
}

interface NarrowRow extends FieldRow {
  readonly start_time: number;
}

/** Names one of the open objects of an event. */
export interface FieldOfEvent {
  readonly projectId: string;
  readonly eventId: string;
  readonly field: Bucket;
}

/** A column is empty in rows that are older than the field. */
const ABSENT = '{}';
/** Bytes of a field that is read where it is located: a statement more costs as much as hundreds of kilobytes. */
const MAX_WHOLE = 65_536;

/** Finds the row of an event that has both halves; of several the one of the highest version. */
export async function locateField(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, eventId, field }: FieldOfEvent,
): Promise<LocatedField | undefined> {
  const isPayload = inPayload(field);
  const narrow = await runner.query<NarrowRow>(narrowQuery(tables, { projectId, eventId, field }));
  if (narrow.length === 0) return undefined;
  const columns = isPayload ? columnsOf(field) : NO_FIELD;
  const scope = { keys: narrow, binder: new Binder() };
  const payloads = await runner.query<FieldRow>(byKeys(tables.payloads, columns, projectId, scope));
  const byKey = new Map(payloads.map((row) => [rowKeyText(row), row]));
  const [newest] = narrow
    .filter((row) => byKey.has(rowKeyText(row)))
    .sort((one, other) => other.version - one.version);
  const payload = newest && byKey.get(rowKeyText(newest));
  if (newest === undefined || payload === undefined) return undefined;
  const { size, text, version, has_media: hasMedia } = isPayload ? payload : newest;
  const { key_session: sessionId, start_time: startTime } = newest;
  const located = { field, version, location: { projectId, eventId, sessionId, startTime } };
  const pieces = hasMedia === 1 ? await readPieces(runner, tables, projectId, text) : undefined;
  if (pieces)
    return { ...located, pieces, bytes: pieces.reduce((sum, piece) => sum + pieceLength(piece), 0) };
  const bytes = size === 0 ? ABSENT.length : Number(size);
  const whole = Buffer.from(size === 0 ? ABSENT : text);
  return { ...located, bytes, ...(whole.length === bytes && bytes <= MAX_WHOLE && { whole }) };
}

const NO_FIELD = "0 AS size, '' AS text, 0 AS has_media, toUInt64(ver) AS version";

function columnsOf(field: Bucket): string {
  const hasMedia = inPayload(field) ? 'notEmpty(media)' : '0';
  const text = `if(length(${field}) <= ${MAX_WHOLE} OR ${hasMedia}, ${field}, '')`;
  return `length(${field}) AS size, ${text} AS text, toUInt8(${hasMedia}) AS has_media, toUInt64(ver) AS version`;
}

function narrowQuery(tables: TableNames, { projectId, eventId, field }: FieldOfEvent) {
  const binder = new Binder();
  const columns = inPayload(field) ? NO_FIELD : columnsOf(field);
  const onKey = ofEvents(tables, { projectId, eventIds: [eventId] }, binder);
  return {
    sql: `SELECT ${KEY_COLUMNS}, start_time, ${columns} FROM ${visible(tables.events)} PREWHERE ${onKey}`,
    bindings: binder.bindings,
  };
}

/**
 * Reads bytes of a located field.
 * @throws AppError `CONFLICT` when the row was replaced, moved or deleted since
 */
export async function readFieldBytes(
  runner: ClientRunner,
  tables: TableNames,
  {
    projectId,
    field,
    bytes,
    version,
    location,
    pieces,
    from,
    length,
  }: LocatedField & FieldRange & { readonly projectId: string },
): Promise<Buffer> {
  if (pieces) return readBytesOfPieces(runner, tables, { projectId, pieces }, { from, length });
  const binder = new Binder();
  const hour = `toDateTime(${binder.bind(String(startHour(location.startTime)), 'UInt64')}, 'UTC')`;
  const onKey =
    `project_id = ${binder.text(projectId)} AND start_hour = ${hour} ` +
    `AND session_id = ${binder.bind(location.sessionId, 'UUID')} AND event_id = ${binder.bind(location.eventId, 'UUID')}`;
  const part = `${binder.bind(String(from + 1), 'UInt64')}, ${binder.bind(String(length), 'UInt64')}`;
  const table = inPayload(field) ? tables.payloads : tables.events;
  const sql =
    `SELECT substring(if(${field} = '', '${ABSENT}', ${field}), ${part}) AS part FROM ${visible(table)} ` +
    `PREWHERE ${onKey} WHERE ver = ${binder.bind(String(version), 'UInt64')}`;
  const read = await runner.bytes({ sql, bindings: binder.bindings });
  if (read.length === Math.min(length, bytes - from)) return read;
  throw new AppError('CONFLICT', 'the event has changed while it was read, retry the request');
}

function inPayload(field: Bucket): boolean {
  return EVENT_SHAPE.fields.some(({ name, payload }) => name === field && payload === true);
}
