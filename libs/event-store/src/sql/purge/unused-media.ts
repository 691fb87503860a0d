import { Binder } from '../engine/binder.js';
import { literal, type QueryRunner } from '../engine/engine.js';
import { onCluster, tableNames, type Topology } from '../schema/topology.js';
import { readSizes } from './deleted-parts.js';
import { OF_PARTS } from './rewrite-parts.js';

export const MEDIA_TABLE = 'media';
/** Media of a part whose removal one statement names. */
const MAX_MEDIA = 1_000;
/** Seconds that a column of times can hold. */
const MAX_SECONDS = 4_000_000_000;

/** A part with media that no event refers to. */
export interface UnusedMediaPart {
  readonly name: string;
  /** Unused media, and the bytes of their content. */
  readonly rows: number;
  readonly unusedBytes: number;
  /** Bytes of the part on disk. */
  readonly bytes: number;
  /** Projects and hashes of some of them. */
  readonly keys: readonly (readonly [projectId: string, hash: string])[];
  /** Rows that were stored later stay; seconds of the engine's clock. */
  readonly storedUntil: number;
}

/** Which media are removed. */
export interface UnusedMediaAge {
  /** Unix milliseconds. */
  readonly storedBefore: number;
  /** Age from which no row that is being written can refer to them, in seconds. */
  readonly unusedSeconds: number;
  /** `FINAL`: also those that only rows refer to which were deleted or replaced. Reads the keys of all payloads. */
  readonly visible?: 'FINAL' | undefined;
}

/** Returns the parts with media that no payload row refers to, those with the most bytes of them first. */
export async function readUnusedMedia(
  engine: QueryRunner,
  topology: Topology,
  { storedBefore, unusedSeconds, visible }: UnusedMediaAge,
): Promise<UnusedMediaPart[]> {
  const { media } = tableNames(topology);
  const [stored] = await engine.query<{ rows: number }>({
    sql: `SELECT toFloat64(count()) AS rows FROM ${media}`,
    bindings: {},
  });
  if (!stored?.rows) return [];
  const latest = Math.floor(Math.max(0, Math.min(storedBefore / 1_000, MAX_SECONDS)));
  const storedUntil = `least(toUnixTimestamp(now()) - ${unusedSeconds}, ${latest})`;
  const found = await engine.query<Omit<UnusedMediaPart, 'bytes'>>({
    sql:
      `SELECT _part AS name, toFloat64(count()) AS rows, toFloat64(sum(bytes)) AS unusedBytes, ` +
      `groupArray(${MAX_MEDIA})((project_id, hash)) AS keys, toFloat64(any(${storedUntil})) AS storedUntil ` +
      `FROM ${media} WHERE ${isUnused(topology, { visible })} AND toUnixTimestamp(stored_at) <= ${storedUntil} GROUP BY name`,
    bindings: {},
  });
  const sizes = found.length > 0 ? await readSizes(engine, { table: MEDIA_TABLE }, topology) : undefined;
  return found
    .flatMap((part) => {
      const size = sizes?.get(part.name);
      // A part that was merged meanwhile has another name.
      return size === undefined ? [] : [{ ...part, bytes: size.bytes }];
    })
    .sort((one, other) => other.unusedBytes - one.unusedBytes);
}

/** Returns the bytes of the content of all media that no visible event refers to. */
export async function readUnusedMediaBytes(engine: QueryRunner, topology: Topology): Promise<number> {
  const parts = await readUnusedMedia(engine, topology, {
    storedBefore: Infinity,
    unusedSeconds: 0,
    visible: 'FINAL',
  });
  return parts.reduce((sum, { unusedBytes }) => sum + unusedBytes, 0);
}

/** Counts the media of a project that were stored until this time, Unix milliseconds, and that no event refers to. */
export async function countUnusedMedia(
  engine: QueryRunner,
  topology: Topology,
  projectId: string,
  storedUntil: number,
): Promise<number> {
  const binder = new Binder();
  const project = `project_id = ${binder.text(projectId)}`;
  const sql =
    `SELECT toFloat64(count()) AS rows FROM ${tableNames(topology).media} WHERE ${project} ` +
    `AND toUnixTimestamp(stored_at) * 1000 <= ${binder.number(storedUntil)} AND ${isUnused(topology, { within: ` AND ${project}` })}`;
  const [found] = await engine.query<{ readonly rows: number }>({ sql, bindings: binder.bindings });
  return found?.rows ?? 0;
}

/**
 * Whether no payload row refers to media. Rows that were deleted or replaced do so as long as they are on the disk: reading little more than
 * the column of the references, which is empty in most rows, then suffices.
 */
function isUnused(
  topology: Topology,
  { within = '', visible }: { readonly within?: string; readonly visible?: 'FINAL' | undefined },
): string {
  const { payloads } = tableNames(topology);
  const used = `SELECT project_id, arrayJoin(splitByChar(',', media)) AS hash FROM ${payloads} ${visible ?? ''} WHERE notEmpty(media)${within}`;
  return `(project_id, hash) GLOBAL NOT IN (${used})`;
}

/**
 * The statement that removes unused media from parts. It names them, because on a cluster the events that could refer to them are on other
 * shards. Media that are referred to again meanwhile have been stored again before, and those rows stay.
 */
export function removeMediaStatement(parts: readonly UnusedMediaPart[], topology: Topology): string {
  const names = parts.map(({ name }) => literal(name)).join(', ');
  const keys = parts.flatMap((part) => part.keys.map((key) => `(${key.map(literal).join(', ')})`));
  const latest = Math.min(...parts.map(({ storedUntil }) => storedUntil));
  return (
    `ALTER TABLE ${topology.database}.${MEDIA_TABLE}${onCluster(topology)} DELETE ` +
    `WHERE ${OF_PARTS} (${names}) AND (project_id, hash) IN (${keys.join(', ')}) AND toUnixTimestamp(stored_at) <= ${latest}`
  );
}
