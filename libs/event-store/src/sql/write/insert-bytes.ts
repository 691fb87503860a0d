import { jsonPiecesSteps } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import type { EventChanges, EventRow, StoreBatch, Tombstone } from '../../event-store.js';
import { EVENT_ROWS } from '@assay/event-rows';
import type { EventRowCodec } from '@assay/event-rows';
import type { RowWithMedia } from '../media/extract-media.js';
import { textBytes } from '../media/varint.js';
import { VERSION_COLUMNS } from '@assay/event-rows';

/** The columns behind a row: `VERSION_COLUMNS` and the time; with kept payloads or media, those of {@link KEPT_COLUMNS} follow them. */
const ROW_END_COLUMNS = [...VERSION_COLUMNS, 'stored_at'];
const VERSION_BYTES = 8;
const TIME_BYTES = 4;
const TAIL_BYTES = VERSION_BYTES + 1 + TIME_BYTES;
const KEPT_BYTES = 2 * VERSION_BYTES;
/** Columns of rows that keep their payload. The engine fills them for batches without such a row. */
const KEPT_COLUMNS = ['kept_ver', 'kept_bytes'];
/** Column of the media of a row. The engine fills it for batches without such a row; the size of the texts is in `kept_bytes`. */
const MEDIA_COLUMN = 'media';
/** With `payload_bytes` behind them. */
const NARROW_TAIL_BYTES = TAIL_BYTES + KEPT_BYTES + VERSION_BYTES;
const MAX_VERSION = Number.MAX_SAFE_INTEGER;

/** The columns that follow those of the rows in {@link eventBytes}. */
export function tailColumns(rows: readonly RowWithMedia[]): readonly string[] {
  const { withKept, withMedia } = tailOf(rows);
  return [...ROW_END_COLUMNS, ...(withKept ? KEPT_COLUMNS : []), ...(withMedia ? [MEDIA_COLUMN] : [])];
}

function tailOf(rows: readonly RowWithMedia[]) {
  const withMedia = rows.some(({ media }) => media !== undefined);
  return { withMedia, withKept: withMedia || rows.some(keepsPayload) };
}

interface KeepingRow extends EventRow {
  readonly keeps: NonNullable<EventRow['keeps']>;
}

function keepsPayload(row: EventRow): row is KeepingRow {
  return row.keeps !== undefined;
}

/**
 * The bytes of a batch's rows and tombstones, as they follow each other. A row's own bytes are taken as they
 * are, and its version comes behind them.
 * @throws AppError `VALIDATION_ERROR` when a row is none, RangeError when a version is no whole number below 2^53: that is a fault of the caller
 */
export function eventBytes(
  rows: readonly RowWithMedia[],
  tombstones: readonly Tombstone[],
  codec: EventRowCodec = EVENT_ROWS,
): Buffer[] {
  const { withKept, withMedia } = tailOf(rows);
  const tailBytes = TAIL_BYTES + (withKept ? KEPT_BYTES : 0);
  const now = Date.now();
  const tails = Buffer.alloc(tailBytes * (rows.length + tombstones.length));
  const parts: Buffer[] = [];
  let start = 0;
  const appendTail = (version: number, isDeleted: number, { keeps, media, mediaBytes = 0 }: RowTail) => {
    const tail = tails.subarray(start, start + tailBytes);
    writeRowEnd(tail, { version, isDeleted, now });
    if (keeps) writeKept(tail.subarray(TAIL_BYTES), keeps);
    else if (withKept) tail.writeBigUInt64LE(BigInt(mediaBytes), TAIL_BYTES + VERSION_BYTES);
    parts.push(tail, ...(withMedia ? textBytes((media ?? []).join(',')) : []));
    start += tailBytes;
  };
  for (const { bytes, version, ...tail } of rows) {
    const missing = codec.check(bytes);
    parts.push(bytes);
    if (missing.length > 0) parts.push(missing);
    appendTail(version, 0, tail);
  }
  for (const tombstone of tombstones) {
    parts.push(codec.tombstone(tombstone, now));
    appendTail(tombstone.version, 1, {});
  }
  return parts;
}

type RowTail = Pick<RowWithMedia, 'keeps' | 'media' | 'mediaBytes'>;

/** The rows of a batch as bytes of columns of a table. */
export interface RowBytes {
  readonly columns: readonly string[];
  readonly parts: readonly Buffer[];
}

/**
 * The bytes of rows that all keep their payload, for the narrow table itself: without the columns of payloads, and with
 * the size of the payload, which the view of the ingest table adds to other rows.
 * @returns undefined when another row or a tombstone is among them, whose payload has to be written as well
 * @throws as {@link eventBytes}
 */
export function narrowBytes(
  { rows, tombstones }: Pick<StoreBatch, 'rows' | 'tombstones'>,
  codec: EventRowCodec = EVENT_ROWS,
): RowBytes | undefined {
  if (tombstones.length > 0 || !rows.every(keepsPayload)) return undefined;
  const now = Date.now();
  const parts: Buffer[] = [];
  for (const { bytes, version, keeps } of rows) {
    const tail = Buffer.alloc(NARROW_TAIL_BYTES);
    writeRowEnd(tail, { version, isDeleted: 0, now });
    writeKept(tail.subarray(TAIL_BYTES), keeps);
    tail.writeBigUInt64LE(BigInt(keeps.bytes), TAIL_BYTES + KEPT_BYTES);
    parts.push(...codec.withoutPayload(bytes), tail);
  }
  const columns = [...codec.layout.narrowColumns, ...ROW_END_COLUMNS, ...KEPT_COLUMNS, 'payload_bytes'];
  return { columns, parts };
}

interface RowEnd {
  readonly version: number;
  readonly isDeleted: number;
  /** Unix milliseconds. */
  readonly now: number;
}

function writeRowEnd(tail: Buffer, { version, isDeleted, now }: RowEnd): void {
  tail.writeBigUInt64LE(BigInt(checked(version)));
  tail[VERSION_BYTES] = isDeleted;
  tail.writeUInt32LE(Math.floor(now / 1_000), VERSION_BYTES + 1);
}

function writeKept(tail: Buffer, { version, bytes }: NonNullable<EventRow['keeps']>): void {
  tail.writeBigUInt64LE(BigInt(checked(version)) + 1n);
  tail.writeBigUInt64LE(BigInt(bytes), VERSION_BYTES);
}

/** The lines of a batch's changes, in steps; empty when it has none. */
export function* changeLinesSteps(changes: readonly EventChanges[]): Steps<Buffer[]> {
  const lines: Buffer[] = [];
  for (const one of changes) {
    lines.push(yield* changeLineSteps(one));
    yield;
  }
  return lines;
}

/**
 * The token of one insert of a batch. Besides the batch's own name it says what is in it, so that a batch
 * which was cut differently after a restart is never taken for the one that is stored already.
 */
export function insertToken(
  batch: StoreBatch,
  part: 'events' | 'changes',
  inserted: readonly Buffer[],
): string {
  const versions = part === 'events' ? [...batch.rows, ...batch.tombstones] : batch.changes;
  const [first, last] = [versions.at(0)?.version, versions.at(-1)?.version];
  const bytes = inserted.reduce((sum, { length }) => sum + length, 0);
  return `${batch.token}:${part}:${versions.length}:${first}-${last}:${bytes}`;
}

function* changeLineSteps(changes: EventChanges): Steps<Buffer> {
  const { projectId, eventId, patch, deleted, movedTo = '', updateIds = [], version } = changes;
  const ids = { project_id: projectId, event_id: eventId };
  const others = {
    deleted: deleted ? 1 : 0,
    moved_to: movedTo,
    update_ids: updateIds,
    ver: checked(version),
  };
  const parts = [Buffer.from(`${JSON.stringify(ids).slice(0, -1)},"patch":"`)];
  yield* jsonPiecesSteps(patch, (piece) => parts.push(Buffer.from(JSON.stringify(piece).slice(1, -1))));
  parts.push(Buffer.from(`",${JSON.stringify(others).slice(1)}\n`));
  return Buffer.concat(parts);
}

function checked(version: number): number {
  if (Number.isInteger(version) && version >= 0 && version <= MAX_VERSION) return version;
  throw new RangeError('a version must be a whole number below 2^53');
}
