import { PAYLOAD_FIELDS, type JsonValue } from '@assay/domain';
import { Binder } from '../engine/binder.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { hashesByQuery, missingMedia, replaceReferences, replaceValues } from './media-reference.js';
import { readMediaSizes } from './read-media.js';

/** A row of the payload table with its objects as JSON text, and `media`: the hashes of its media, with commas between them. */
type PayloadRow = Readonly<Record<string, JsonValue>>;

interface ContentRow {
  readonly hash: string;
  /** Hexadecimal: bytes do not travel as text. */
  readonly digits: string;
}

/** Payload rows of which project, and whether their media become links. */
export interface MediaScope {
  readonly projectId: string;
  readonly mediaLinks?: boolean;
}

/**
 * Returns payload rows with the texts that are stored as media, or with links in place of them. The sizes of the texts are in the
 * `payload_bytes` of the narrow rows.
 * @throws AppError `UNAVAILABLE` when media are missing, so that no update is made of an event without its texts
 */
export async function restoreMedia<Row extends PayloadRow>(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, mediaLinks = false }: MediaScope,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const hashes = new Set(rows.flatMap(hashesOf));
  if (hashes.size === 0) return rows;
  const [read, replace] = mediaLinks ? [readLinks, replaceValues] : [readTexts, replaceReferences];
  const found = await read(runner, tables, projectId, [...hashes]);
  const valueOf = (hash: string) => {
    const value = found.get(hash);
    if (value === undefined) throw missingMedia();
    return value;
  };
  const restore = (json: string) => replace(json, valueOf);
  return rows.map((row) => (hashesOf(row).length === 0 ? row : restored(row, restore)));
}

function hashesOf({ media }: PayloadRow): readonly string[] {
  return typeof media === 'string' && media !== '' ? media.split(',') : [];
}

function restored<Row extends PayloadRow>(row: Row, restore: (json: string) => string): Row {
  const texts = PAYLOAD_FIELDS.flatMap((name) => {
    const text = row[name];
    return typeof text === 'string' ? [[name, restore(text)] as const] : [];
  });
  return { ...row, ...Object.fromEntries(texts) };
}

async function readTexts(
  runner: QueryRunner,
  { media }: TableNames,
  projectId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const some of hashesByQuery(hashes)) {
    const binder = new Binder();
    const where = `project_id = ${binder.text(projectId)} AND hash IN ${binder.texts(some)}`;
    const rows = await runner.query<ContentRow>({
      sql: `SELECT hash, hex(content) AS digits FROM ${media} WHERE ${where} LIMIT 1 BY hash`,
      bindings: binder.bindings,
      isBinary: true,
    });
    for (const { hash, digits } of rows) texts.set(hash, Buffer.from(digits, 'hex').toString('base64'));
  }
  return texts;
}

/** The links of media as JSON, by their hashes. */
async function readLinks(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  for (const some of hashesByQuery(hashes))
    for (const { hash, type, bytes } of (await readMediaSizes(runner, tables, projectId, some)).values())
      links.set(hash, JSON.stringify({ media: `/v1/media/${hash}`, type, bytes }));
  return links;
}
