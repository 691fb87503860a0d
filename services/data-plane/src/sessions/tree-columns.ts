import type { getSessionTree, ResponseOf } from '@assay/contracts';
import type { SessionTreeRow } from '@assay/event-store';

type Tree = ResponseOf<typeof getSessionTree>;

/** The part of a tree's response that follows from its events. */
export type TreeColumns = Pick<Tree, 'start_time' | 'names' | 'types' | 'kinds' | 'models' | 'events'>;

const ID_BYTES = 16;

/** Returns events as one list per property, which is a fraction of the size of one object per event. */
export function treeColumns(sessionId: string, rows: readonly SessionTreeRow[]): TreeColumns {
  const names = new Dictionary();
  const types = new Dictionary();
  const kinds = new Dictionary();
  const models = new Dictionary();
  const rowOf = new Map(rows.map(({ eventId }, row) => [eventId, row]));
  const start_time = rows[0]?.startTime ?? 0;
  const isOutside = ({ parentId }: SessionTreeRow) =>
    parentId !== null && parentId !== '' && parentId !== sessionId && !rowOf.has(parentId);
  return {
    start_time,
    events: {
      ids: idsOf(rows),
      name: rows.map((row) => names.indexOf(row.name)),
      type: rows.map((row) => types.indexOf(row.type)),
      kind: rows.map((row) => kinds.indexOrNone(row.kind)),
      model: rows.map((row) => models.indexOrNone(row.model)),
      parent: rows.map((row) => rowOf.get(row.parentId ?? '') ?? -1),
      start: rows.map((row) => toMicroseconds(row.startTime - start_time)),
      duration: rows.map((row) => (row.duration === null ? null : toMicroseconds(row.duration))),
      tokens: rows.map((row) => row.tokens),
      cost: rows.map((row) => row.cost),
      errors: byRow(rows, (row) => row.error ?? undefined),
      scores: byRow(rows, (row) => (Object.keys(row.scores).length > 0 ? { ...row.scores } : undefined)),
      outside_parents: byRow(rows, (row) => (isOutside(row) ? (row.parentId ?? undefined) : undefined)),
    },
    names: names.texts,
    types: types.texts,
    kinds: kinds.texts,
    models: models.texts,
  };
}

/** The precision of times; a difference of two has digits beyond it. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function idsOf(rows: readonly SessionTreeRow[]): string {
  const bytes = Buffer.alloc(rows.length * ID_BYTES);
  rows.forEach(({ eventId }, row) => bytes.write(eventId.replaceAll('-', ''), row * ID_BYTES, 'hex'));
  return bytes.toString('base64');
}

function byRow<T>(rows: readonly SessionTreeRow[], valueOf: (row: SessionTreeRow) => T | undefined) {
  const found: Record<string, T> = {};
  rows.forEach((row, index) => {
    const value = valueOf(row);
    if (value !== undefined) found[index] = value;
  });
  return found;
}

/** Distinct texts in the order of their first use. */
class Dictionary {
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();

  /** -1 for an empty text. */
  indexOrNone(text: string): number {
    return text === '' ? -1 : this.indexOf(text);
  }

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}
