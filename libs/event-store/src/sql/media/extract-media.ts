import { createHash } from 'node:crypto';
import { decodeEventRowPart, payloadSpans, type RowPart } from '@assay/event-rows';
import type { Steps } from '@assay/runtime';
import type { EventRow, StoreBatch } from '../../event-store.js';
import { findMedia, MIN_MEDIA_LENGTH, type FoundMedia } from './find-media.js';
import { mayRefer, REFERENCE_LENGTH, referenceTo } from './media-reference.js';
import { varint } from './varint.js';

/** The content of a base64 text, in a project. */
export interface Media {
  readonly projectId: string;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly type: string;
  readonly content: Buffer;
}

/** A row of which texts are stored as media. */
export interface RowWithMedia extends EventRow {
  /** Hashes of its media; absent without any. */
  readonly media?: readonly string[];
  /** Bytes by which its payload is shorter than the one of the event. */
  readonly mediaBytes?: number;
}

/** A batch whose rows refer to media. */
export interface BatchWithMedia {
  readonly batch: StoreBatch;
  /** Each once. */
  readonly media: readonly Media[];
}

/** Whether a batch has a row that is large enough for media. */
export function mayHaveMedia({ rows }: StoreBatch): boolean {
  return rows.some(isLarge);
}

/** Replaces the media of the rows of a batch by references, in steps of one row. @throws AppError `VALIDATION_ERROR` when a row is none */
export function* extractMediaSteps(batch: StoreBatch): Steps<BatchWithMedia> {
  const media = new Map<string, Media>();
  const rows: RowWithMedia[] = [];
  for (const row of batch.rows) {
    if (!isLarge(row)) {
      rows.push(row);
      continue;
    }
    const { found, ...stored } = extract(row);
    rows.push(stored);
    for (const one of found) media.set(`${one.projectId}/${one.hash}`, one);
    yield;
  }
  return { batch: { ...batch, rows }, media: [...media.values()] };
}

function isLarge({ bytes, keeps }: EventRow): boolean {
  return bytes.length > MIN_MEDIA_LENGTH && keeps === undefined;
}

const PROJECT_ONLY: RowPart = new Map([['project_id', 'whole']]);

function extract(row: EventRow): RowWithMedia & { readonly found: readonly Media[] } {
  const { bytes } = row;
  const spans = payloadSpans(bytes);
  const texts = spans.map(({ text, end }) => bytes.subarray(text, end));
  const inTexts = texts.map((text) => (text.length > MIN_MEDIA_LENGTH ? [...findMedia(text)] : []));
  if (inTexts.flat().length === 0 || texts.some(mayRefer)) return { ...row, found: [] };
  const { project_id: projectId } = decodeEventRowPart(bytes, PROJECT_ONLY);
  const found: Media[] = [];
  const parts: Buffer[] = [];
  let copied = 0;
  spans.forEach(({ start, end }, index) => {
    const pieces = piecesOf(texts[index] as Buffer, inTexts[index] ?? [], (media) => {
      found.push({ projectId, ...media });
    });
    parts.push(bytes.subarray(copied, start), lengthOf(pieces), ...pieces);
    copied = end;
  });
  const stored = Buffer.concat([...parts, bytes.subarray(copied)]);
  const mediaBytes = inTexts.flat().reduce((sum, { start, end }) => sum + end - start - REFERENCE_LENGTH, 0);
  return { ...row, bytes: stored, media: [...new Set(found.map(({ hash }) => hash))], mediaBytes, found };
}

/** The pieces of a text with references in place of what was found. */
function piecesOf(
  text: Buffer,
  found: readonly FoundMedia[],
  onMedia: (media: Omit<Media, 'projectId'>) => void,
): Buffer[] {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const { start, end, type, content } of found) {
    const hash = createHash('sha256').update(content).digest('hex');
    onMedia({ hash, type, content });
    pieces.push(text.subarray(copied, start), referenceTo(hash));
    copied = end;
  }
  return [...pieces, text.subarray(copied)];
}

function lengthOf(pieces: readonly Buffer[]): Buffer {
  return varint(pieces.reduce((sum, { length }) => sum + length, 0));
}
