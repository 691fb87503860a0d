import { jsonPiecesSteps } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import { EVENT_ROWS, VERSION_COLUMNS, type EventRowCodec, type RowTarget } from '@assay/event-rows';
import type { EventChanges, StoreBatch, Tombstone } from '../../event-store.js';
import type { RowWithMedia } from '../media/extract-media.js';
import { textBytes } from '../media/varint.js';

/** Bytes that are collected in one piece of memory. */
const CHUNK_BYTES = 256 * 1024;
/** For shorter pieces a call takes longer than copying them here. */
const MIN_CALL_BYTES = 64;
/** A piece of a row from this length on is not copied. */
const MIN_LENT_BYTES = 16 * 1024;
/** Columns of rows that keep their payload, or have media. The engine fills them for batches without such a row. */
const KEPT_COLUMNS = ['kept_ver', 'kept_bytes'];
/** Column of the media of a payload. The engine fills it for batches without such a row. */
const MEDIA_COLUMN = 'media';
const MAX_VERSION = Number.MAX_SAFE_INTEGER;

/** Rows of a table as bytes of its columns, as they follow each other. */
export interface RowBytes {
  readonly columns: readonly string[];
  readonly parts: readonly Buffer[];
}

/** The rows of a batch by the table that holds them, in the order in which they are written; without parts: nothing to write. */
export interface BatchBytes {
  /** Of the payload table. */
  readonly payloads: RowBytes;
  /** Of the table of event ids: the keys of rows, and the hours of their sessions. A row that keeps its payload is where one has been before. */
  readonly ids: RowBytes;
  /** Of the narrow table: rows and tombstones. */
  readonly narrow: RowBytes;
  /** Of the payload table: what the tombstones remove. */
  readonly removed: RowBytes;
}

interface BatchRows {
  readonly rows: readonly RowWithMedia[];
  readonly tombstones: readonly Tombstone[];
}

/**
 * The bytes of a batch's rows and tombstones, each with its version behind it. A row that keeps its payload is in the narrow table alone.
 * @throws AppError `VALIDATION_ERROR` when a row is none, RangeError when a version is no whole number below 2^53: that is a fault of the caller
 */
export function batchBytes({ rows, tombstones }: BatchRows, codec: EventRowCodec = EVENT_ROWS): BatchBytes {
  const now = Date.now();
  const hasMedia = rows.some(({ media }) => media !== undefined);
  const narrow = new NarrowRows(
    Math.floor(now / 1_000),
    hasMedia || rows.some(({ keeps }) => keeps !== undefined),
  );
  const payloads = new PayloadRows(hasMedia);
  const ids = new KeyRows(codec.layout.idBytes / 2);
  const removed = new PayloadRows(false);
  const [whole, keeping] = [{ narrow, payload: payloads, key: ids }, { narrow }];
  for (const row of rows) {
    const size = codec.split(row.bytes, row.keeps === undefined ? whole : keeping);
    if (row.keeps === undefined) {
      payloads.end(row, 0);
      ids.end();
    }
    narrow.end(row, 0, size);
  }
  for (const tombstone of tombstones) {
    codec.split(codec.tombstone(tombstone, now), { narrow, payload: removed });
    narrow.end(tombstone, 1, 0);
    removed.end(tombstone, 1);
  }
  const { narrowColumns, payloadColumns, keyColumns } = codec.layout;
  const bytesOf = (columns: readonly string[], of: NarrowRows | PayloadRows) => ({
    columns: [...columns, ...of.endColumns],
    parts: of.take(),
  });
  return {
    payloads: bytesOf(payloadColumns, payloads),
    ids: { columns: keyColumns, parts: ids.take() },
    narrow: bytesOf(narrowColumns, narrow),
    removed: bytesOf(payloadColumns, removed),
  };
}

/** What is stored behind the values of a row. */
type RowEnd = Omit<RowWithMedia, 'bytes'>;

/** Collects rows as they follow each other: short pieces are copied, long ones stay where they are. */
class CollectedBytes implements RowTarget {
  readonly #parts: Buffer[] = [];
  #chunk: Uint8Array = Buffer.alloc(0);
  #view = viewOf(this.#chunk);
  #from = 0;
  #at = 0;

  copy(bytes: Buffer, start: number, end: number): void {
    if (end - start >= MIN_LENT_BYTES) {
      this.#cut();
      this.#parts.push(bytes.subarray(start, end));
      return;
    }
    this.reserve(end - start);
    if (end - start >= MIN_CALL_BYTES) this.#at += bytes.copy(this.#chunk, this.#at, start, end);
    else for (let from = start; from < end; from++) this.#chunk[this.#at++] = bytes[from] ?? 0;
  }

  /** The collected pieces. */
  take(): readonly Buffer[] {
    this.#cut();
    return this.#parts;
  }

  protected uint64(value: number): void {
    const high = Math.floor(value / 2 ** 32);
    this.uint32(value - high * 2 ** 32);
    this.uint32(high);
  }

  protected uint32(value: number): void {
    this.reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  protected uint8(value: number): void {
    this.reserve(1);
    this.#chunk[this.#at++] = value;
  }

  private reserve(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    this.#cut();
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.#view = viewOf(this.#chunk);
    this.#from = this.#at = 0;
  }

  #cut(): void {
    if (this.#at > this.#from)
      this.#parts.push(
        Buffer.from(this.#chunk.buffer, this.#chunk.byteOffset + this.#from, this.#at - this.#from),
      );
    this.#from = this.#at;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

class PayloadRows extends CollectedBytes {
  constructor(private readonly withMedia: boolean) {
    super();
  }

  get endColumns(): readonly string[] {
    return [...(this.withMedia ? [MEDIA_COLUMN] : []), ...VERSION_COLUMNS];
  }

  end({ media = [], version }: RowEnd, isDeleted: 0 | 1): void {
    if (this.withMedia) for (const bytes of textBytes(media.join(','))) this.copy(bytes, 0, bytes.length);
    this.uint64(checked(version));
    this.uint8(isDeleted);
  }
}

/** The keys of rows, and once for each hour of a session the same with the id of the session as that of the event. */
class KeyRows extends CollectedBytes {
  readonly #hours = new Set<string>();
  #key: Buffer[] = [];

  constructor(private readonly idBytes: number) {
    super();
  }

  override copy(bytes: Buffer, start: number, end: number): void {
    super.copy(bytes, start, end);
    this.#key.push(bytes.subarray(start, end));
  }

  end(): void {
    const ofSession = Buffer.concat(this.#key).subarray(this.idBytes);
    this.#key = [];
    const hour = ofSession.toString('latin1');
    if (this.#hours.has(hour)) return;
    this.#hours.add(hour);
    super.copy(ofSession, 0, this.idBytes);
    super.copy(ofSession, 0, ofSession.length);
  }
}

class NarrowRows extends CollectedBytes {
  constructor(
    private readonly nowSeconds: number,
    private readonly withKept: boolean,
  ) {
    super();
  }

  get endColumns(): readonly string[] {
    return [...VERSION_COLUMNS, 'stored_at', 'payload_bytes', ...(this.withKept ? KEPT_COLUMNS : [])];
  }

  /** The size of a payload includes the texts that are stored as media. */
  end({ version, keeps, mediaBytes }: RowEnd, isDeleted: 0 | 1, payloadBytes: number): void {
    const elsewhere = keeps?.bytes ?? mediaBytes ?? 0;
    this.uint64(checked(version));
    this.uint8(isDeleted);
    this.uint32(this.nowSeconds);
    this.uint64((keeps === undefined ? payloadBytes : 0) + elsewhere);
    if (!this.withKept) return;
    this.uint64(keeps === undefined ? 0 : checked(keeps.version) + 1);
    this.uint64(elsewhere);
  }
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
  part: 'changes' | keyof BatchBytes,
  inserted: readonly Buffer[],
): string {
  const versions = part === 'changes' ? batch.changes : [...batch.rows, ...batch.tombstones];
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
