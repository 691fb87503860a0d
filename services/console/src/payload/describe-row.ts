import { isObjectAt, isTextAt, type ByteIndex } from './byte-index.js';
import type { Row } from './open-rows.js';
import { readRaw, readText, type TextPart } from './read-text.js';
import { keyOf, type CutRange } from './read-value.js';
import { asDataUrl } from './to-parts.js';

/** What a row of a document shows, in texts of bounded length. */
export interface RowView {
  readonly row: number;
  readonly depth: number;
  /** Key or position; empty for the document itself. */
  readonly label: string;
  readonly kind: 'object' | 'array' | 'text' | 'number' | 'boolean' | 'null' | 'more';
  readonly isOpen: boolean;
  /** Members or elements of a container, or those that a row offers to show. */
  readonly count: number;
  readonly text: string;
  /** What is left out of a text. */
  readonly rest?: CutRange;
  /** Type of the bytes of a data URL. */
  readonly mimeType?: string;
}

/** Bytes of a text that a row shows. */
const ROW_TEXT_BYTES = 400;

export function describeRow(index: ByteIndex, row: Row, number: number): RowView {
  const { bytes } = index;
  const { entry, depth, isOpen, more } = row;
  const about = { row: number, depth, isOpen, label: labelOf(bytes, row) };
  if (more > 0) return { ...about, label: '', kind: 'more', count: more, text: '' };
  if (entry.container !== -1) {
    const kind = isObjectAt(bytes, entry.start) ? 'object' : 'array';
    return { ...about, kind, count: index.counts[entry.container] ?? 0, text: '' };
  }
  if (isTextAt(bytes, entry.start)) return { ...about, kind: 'text', count: 0, ...describeText(bytes, row) };
  const text = readRaw(bytes, entry.start, Math.min(entry.end, entry.start + ROW_TEXT_BYTES));
  const kind = text === 'null' ? 'null' : text === 'true' || text === 'false' ? 'boolean' : 'number';
  return { ...about, kind, count: 0, text };
}

function describeText(bytes: Uint8Array, { entry }: Row): Pick<RowView, 'text' | 'rest' | 'mimeType'> {
  const part: TextPart = readText(bytes, entry.start, entry.end, ROW_TEXT_BYTES);
  const mimeType = asDataUrl(part.text)?.mimeType;
  const rest = { start: entry.start + 1, shownTo: part.end, end: entry.end - 1 };
  return {
    text: part.text,
    ...(part.left > 0 && { rest }),
    ...(mimeType !== undefined && { mimeType, rest }),
  };
}

function labelOf(bytes: Uint8Array, { entry, depth }: Row): string {
  if (depth === 0) return '';
  return entry.key === -1 ? String(entry.ordinal) : keyOf(bytes, entry);
}
