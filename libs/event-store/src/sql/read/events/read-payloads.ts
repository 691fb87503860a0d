import type { QueryRunner } from '../../engine/engine.js';
import type { NarrowRow, StoredRow } from '../rows/event-reader.js';
import type { HeldRows } from './held-events.js';
import { hasSameKey } from '../rows/row-key.js';
import {
  KEYS_PER_QUERY,
  MAX_DENSE_ROWS,
  readDensePayloadRows,
  readPayloadRows,
} from '../rows/read-by-keys.js';
import { restoreMedia } from '../../media/restore-media.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';

/** Bytes of payloads of one statement, unless one is larger. */
const BYTES_PER_QUERY = 32 * 1024 ** 2;

/** Payloads of rows of different events, by event id; absent without a payload. */
export async function readPayloads(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, rows, areDense }: PayloadsRequest,
): Promise<HeldRows['payloads']> {
  const asked = new Map(rows.map((row) => [row.key_event, row]));
  const payloads = new Map<string, StoredRow>();
  for (const part of partsBySize(rows, areDense)) {
    const read =
      (areDense ? await readDensePayloadRows(engine, tables, projectId, part) : undefined) ??
      (await readPayloadsByKeys(engine, tables, projectId, part));
    const found = read.filter((payload) => {
      const row = asked.get(payload.key_event);
      return row !== undefined && hasSameKey(row, payload);
    });
    for (const payload of await restoreMedia(engine, tables, { projectId }, found))
      payloads.set(payload.key_event, payload);
  }
  return payloads;
}

interface PayloadsRequest {
  readonly projectId: string;
  readonly rows: readonly NarrowRow[];
  readonly areDense: boolean;
}

async function readPayloadsByKeys(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  rows: readonly NarrowRow[],
): Promise<StoredRow[]> {
  const payloads: StoredRow[] = [];
  for (const keys of chunks(rows, KEYS_PER_QUERY))
    payloads.push(...(await readPayloadRows(engine, tables, projectId, keys)));
  return payloads;
}

/** Splits rows so that the payloads of one statement are bounded, in number and in bytes. */
function* partsBySize(rows: readonly NarrowRow[], areDense: boolean): Generator<readonly NarrowRow[]> {
  const maxRows = areDense ? MAX_DENSE_ROWS : KEYS_PER_QUERY;
  let part: NarrowRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (part.length === maxRows || (part.length > 0 && bytes + row.payload_bytes > BYTES_PER_QUERY)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += row.payload_bytes;
  }
  if (part.length > 0) yield part;
}
