import { rootEntry, visitEntries, type ByteIndex, type Entry } from './byte-index.js';

/** Members of one container that are shown before a person asks for more. */
export const MAX_SHOWN_ENTRIES = 50_000;

/** Row of the tree: an entry at a depth, or the offer to show more entries of the container above. */
export interface Row {
  readonly entry: Entry;
  readonly depth: number;
  readonly isOpen: boolean;
  /** Entries that a container has and the rows do not show, on the row that offers them. */
  readonly more: number;
}

/** The visible rows of a document. Opening a container inserts its entries, closing removes them. */
export class OpenRows {
  private rows: Row[];

  constructor(private readonly index: ByteIndex) {
    this.rows = [{ entry: rootEntry(index), depth: 0, isOpen: false, more: 0 }];
  }

  get length(): number {
    return this.rows.length;
  }

  at(row: number): Row | undefined {
    return this.rows[row];
  }

  slice(from: number, to: number): readonly Row[] {
    return this.rows.slice(from, to);
  }

  /** Opens containers from the top, level by level, while at most `maxRows` rows would be visible. */
  openFirstLevels(maxRows: number): void {
    this.open(0);
    for (let row = 1; row < this.rows.length; row++) {
      const one = this.rows[row];
      const count = one === undefined ? 0 : this.countOf(one.entry);
      if (count > 0 && this.rows.length + count <= maxRows) this.open(row);
    }
  }

  toggle(row: number): void {
    const one = this.rows[row];
    if (one === undefined) return;
    if (one.more > 0) this.showMore(row, one);
    else if (one.isOpen) this.close(row);
    else this.open(row);
  }

  open(row: number): void {
    const one = this.rows[row];
    if (one === undefined || one.isOpen || one.more > 0 || one.entry.container === -1) return;
    this.rows[row] = { ...one, isOpen: true };
    this.insert(row + 1, this.entriesFrom(one.entry, one.depth + 1, 0));
  }

  close(row: number): void {
    const one = this.rows[row];
    if (one?.isOpen !== true) return;
    this.rows[row] = { ...one, isOpen: false };
    let end = row + 1;
    while ((this.rows[end]?.depth ?? 0) > one.depth) end++;
    this.rows = [...this.rows.slice(0, row + 1), ...this.rows.slice(end)];
  }

  /** Opens what contains the offset. Returns the row of the innermost entry around it. */
  reveal(offset: number): number {
    let row = 0;
    for (;;) {
      const inner = this.rowAround(row, offset);
      if (inner === undefined) return row;
      row = inner;
    }
  }

  /** Entries from the document to the row. */
  pathTo(row: number): readonly Row[] {
    const path: Row[] = [];
    let depth = Infinity;
    for (let at = row; at >= 0; at--) {
      const one = this.rows[at];
      if (one === undefined || one.depth >= depth) continue;
      path.unshift(one);
      depth = one.depth;
    }
    return path;
  }

  private rowAround(row: number, offset: number): number | undefined {
    const outer = this.rows[row];
    if (outer === undefined || outer.entry.container === -1 || outer.more > 0) return undefined;
    this.open(row);
    for (let at = row + 1; (this.rows[at]?.depth ?? 0) > outer.depth; at++) {
      const one = this.rows[at];
      if (one?.depth !== outer.depth + 1) continue;
      if (one.more > 0 && offset >= one.entry.start) this.showMore(at--, one);
      else if (one.more === 0 && isAround(one.entry, offset)) return at;
    }
    return undefined;
  }

  private countOf({ container }: Entry): number {
    return container === -1 ? 0 : (this.index.counts[container] ?? 0);
  }

  private entriesFrom(outer: Entry, depth: number, from: number): Row[] {
    const found: Row[] = [];
    const more = this.countOf(outer) - from - MAX_SHOWN_ENTRIES;
    visitEntries(this.index, outer.container, (entry) => {
      if (entry.ordinal < from) return true;
      if (found.length < MAX_SHOWN_ENTRIES) found.push({ entry, depth, isOpen: false, more: 0 });
      else found.push({ entry: { ...entry, container: outer.container }, depth, isOpen: false, more });
      return found.length <= MAX_SHOWN_ENTRIES;
    });
    return found;
  }

  private showMore(row: number, { entry, depth }: Row): void {
    const outer = { ...entry, start: this.index.starts[entry.container] ?? 0 };
    const before = this.rows.slice(0, row);
    const added = this.entriesFrom(outer, depth, entry.ordinal);
    this.rows = [...before, ...added, ...this.rows.slice(row + 1)];
  }

  private insert(at: number, added: readonly Row[]): void {
    this.rows = [...this.rows.slice(0, at), ...added, ...this.rows.slice(at)];
  }
}

/** Whether the offset is in the key or the value. */
function isAround({ key, start, end }: Entry, offset: number): boolean {
  return offset >= (key === -1 ? start : key) && offset < end;
}
