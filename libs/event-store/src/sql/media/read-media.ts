import type { FieldPiece, FieldRange, StoredMedia } from '../../events-port.js';
import { Binder } from '../engine/binder.js';
import type { ClientRunner, QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { missingMedia, splitReferences } from './media-reference.js';

interface MediaOfProject {
  readonly projectId: string;
  readonly hash: string;
}

/** Type and size of media by their hashes; those that the project has not are absent. */
export async function readMediaSizes(
  runner: QueryRunner,
  { media }: TableNames,
  projectId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, StoredMedia>> {
  const binder = new Binder();
  const where = `project_id = ${binder.text(projectId)} AND hash IN ${binder.texts(hashes)}`;
  const rows = await runner.query<StoredMedia>({
    sql: `SELECT hash, toString(type) AS type, toFloat64(bytes) AS bytes FROM ${media} WHERE ${where} LIMIT 1 BY hash`,
    bindings: binder.bindings,
  });
  return new Map(rows.map((row) => [row.hash, row]));
}

/** Reads bytes of the content of media. @throws AppError `UNAVAILABLE` when it is missing */
export async function readMediaBytes(
  runner: ClientRunner,
  { media }: TableNames,
  { projectId, hash }: MediaOfProject,
  { from, length }: FieldRange,
): Promise<Buffer> {
  const binder = new Binder();
  const part = `${binder.bind(String(from + 1), 'UInt64')}, ${binder.bind(String(length), 'UInt64')}`;
  const where = `project_id = ${binder.text(projectId)} AND hash = ${binder.text(hash)}`;
  const sql = `SELECT substring(content, ${part}) AS part FROM ${media} WHERE ${where} LIMIT 1`;
  const read = await runner.bytes({ sql, bindings: binder.bindings });
  if (read.length !== length) throw missingMedia();
  return read;
}

/** The pieces of a stored text that refers to media; undefined when it does not. @throws AppError `UNAVAILABLE` when media are missing */
export async function readPieces(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  json: string,
): Promise<readonly FieldPiece[] | undefined> {
  const parts = splitReferences(json);
  const hashes = parts.filter((_, index) => index % 2 === 1);
  if (hashes.length === 0) return undefined;
  const sizes = await readMediaSizes(runner, tables, projectId, [...new Set(hashes)]);
  return parts.map((part, index): FieldPiece => {
    if (index % 2 === 0) return { text: Buffer.from(part) };
    const media = sizes.get(part);
    if (media === undefined) throw missingMedia();
    return { hash: part, bytes: media.bytes };
  });
}

/** Bytes of a piece in the field. */
export function pieceLength(piece: FieldPiece): number {
  return 'text' in piece ? piece.text.length : Math.ceil(piece.bytes / 3) * 4;
}

/** Reads bytes of a field that refers to media. @throws AppError `UNAVAILABLE` when media are missing */
export async function readBytesOfPieces(
  runner: ClientRunner,
  tables: TableNames,
  { projectId, pieces }: { readonly projectId: string; readonly pieces: readonly FieldPiece[] },
  { from, length }: FieldRange,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let start = 0;
  for (const piece of pieces) {
    const end = start + pieceLength(piece);
    const [first, last] = [Math.max(from, start) - start, Math.min(from + length, end) - start];
    if (first < last) {
      const whole = 'text' in piece ? piece.text.subarray(first, last) : undefined;
      parts.push(
        whole ?? (await readBase64(runner, tables, { projectId, ...(piece as MediaPiece) }, [first, last])),
      );
    }
    start = end;
  }
  return Buffer.concat(parts);
}

type MediaPiece = Extract<FieldPiece, { readonly hash: string }>;

/** Four characters encode three bytes. */
async function readBase64(
  runner: ClientRunner,
  tables: TableNames,
  media: MediaOfProject & MediaPiece,
  [first, last]: readonly [number, number],
): Promise<Buffer> {
  const from = Math.floor(first / 4) * 3;
  const to = Math.min(Math.ceil(last / 4) * 3, media.bytes);
  const content = await readMediaBytes(runner, tables, media, { from, length: to - from });
  const skipped = (from / 3) * 4;
  return Buffer.from(content.toString('base64').slice(first - skipped, last - skipped), 'latin1');
}
