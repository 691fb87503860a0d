import { randomUUID } from 'node:crypto';
import { Binder } from '../engine/binder.js';
import { isBodyRefused } from '../engine/engine-failure.js';
import type { SqlEngine } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import type { Media } from './extract-media.js';
import { hashesByQuery } from './media-reference.js';
import { textBytes } from './varint.js';

/**
 * Age of unused media from which they are removed, in seconds of the engine's clock. Media that were stored before two thirds of it are
 * stored again before a row refers to them, so that what a row that is being written refers to is never that old.
 */
export const UNUSED_MEDIA_SECONDS = 1_800;

/** Content of one insert, unless one is larger. */
const BYTES_PER_INSERT = 16 * 1024 ** 2;
const COLUMNS = ['project_id', 'hash', 'type', 'bytes', 'content'];
const INSERT_SETTINGS = { async_insert: 0, distributed_foreground_insert: 1 };

/** Stores media that are not stored, or were a long time ago, durably when it resolves. Call it before rows that refer to them are stored. */
export async function storeMedia(
  engine: SqlEngine,
  tables: TableNames,
  media: readonly Media[],
  unusedSeconds: number,
): Promise<void> {
  const recent = await readRecent(engine, tables, media, unusedSeconds);
  const left = media.filter((one) => !recent.has(keyOf(one)));
  for (const part of partsBySize(left)) await insert(engine, tables, part);
}

async function insert(engine: SqlEngine, tables: TableNames, media: readonly Media[]): Promise<void> {
  const parts = media.flatMap(({ projectId, hash, type, content }) => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(content.length));
    return [...textBytes(projectId), ...textBytes(hash), ...textBytes(type), size, ...textBytes(content)];
  });
  // Without a token of its own the engine leaves out an insert of what was inserted before, also when it has been removed since.
  const settings = { ...INSERT_SETTINGS, insert_deduplication_token: randomUUID() };
  const target = { table: tables.media, columns: COLUMNS, settings };
  try {
    await engine.insert({ ...target, format: 'RowBinary', parts });
  } catch (error) {
    if (media.length === 1 || !isBodyRefused(error)) throw error;
    for (const one of media) await insert(engine, tables, [one]);
  }
}

interface MediaRow {
  readonly project_id: string;
  readonly hash: string;
}

async function readRecent(
  engine: SqlEngine,
  tables: TableNames,
  media: readonly Media[],
  unusedSeconds: number,
): Promise<ReadonlySet<string>> {
  const since = `stored_at > now() - toIntervalSecond(${Math.floor((unusedSeconds * 2) / 3)})`;
  const recent = new Set<string>();
  for (const some of hashesByQuery([...new Set(media.map(({ hash }) => hash))])) {
    const binder = new Binder();
    const projects = binder.texts([...new Set(media.map(({ projectId }) => projectId))]);
    const where = `project_id IN ${projects} AND hash IN ${binder.texts(some)} AND ${since}`;
    const rows = await engine.query<MediaRow>({
      sql: `SELECT project_id, hash FROM ${tables.media} WHERE ${where}`,
      bindings: binder.bindings,
    });
    for (const { project_id: projectId, hash } of rows) recent.add(keyOf({ projectId, hash }));
  }
  return recent;
}

function keyOf({ projectId, hash }: Pick<Media, 'projectId' | 'hash'>): string {
  return `${projectId}/${hash}`;
}

function* partsBySize(media: readonly Media[]): Generator<readonly Media[]> {
  let [part, bytes]: [Media[], number] = [[], 0];
  for (const one of media) {
    if (part.length > 0 && bytes + one.content.length > BYTES_PER_INSERT) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(one);
    bytes += one.content.length;
  }
  if (part.length > 0) yield part;
}
