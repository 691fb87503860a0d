/** Columns of `GET /v1/sessions/{id}/tree` that the layout needs, one entry per event, by start. */
export interface TreeColumns {
  /** Rows of the parents; -1 at the top. */
  readonly parent: readonly number[];
  readonly start: readonly number[];
  /** Milliseconds; null while the event runs, negative when its clock was set back. */
  readonly duration: readonly (number | null)[];
  /** Parents that are not among the events, by row. */
  readonly outside_parents: Readonly<Record<string, unknown>>;
}

/** Why an event is at the top although it names a parent. */
export type TopReason = 'outside' | 'cycle';

/** Events in the order of a tree: each one before its children, siblings by start. */
export interface TreeLayout {
  /** Events from top to bottom. */
  readonly order: Int32Array;
  /** Position of each event in `order`. */
  readonly position: Int32Array;
  readonly depth: Int32Array;
  /** Parent of each event in the tree, in which cycles are cut; -1 at the top. */
  readonly parent: Int32Array;
  /** Events of the subtree, including its root. */
  readonly size: Int32Array;
  readonly topReasons: ReadonlyMap<number, TopReason>;
  /** Time from the first start to the last end. */
  readonly from: number;
  readonly to: number;
}

/** Lays out the events of a session. Every event is in the order exactly once, whatever parents it names. */
export function layOutTree(columns: TreeColumns): TreeLayout {
  const count = columns.start.length;
  const topReasons = new Map<number, TopReason>();
  const parent = Int32Array.from(columns.parent, (row, event) => (isRow(row, event, count) ? row : -1));
  for (const event of Object.keys(columns.outside_parents)) topReasons.set(Number(event), 'outside');
  for (let event = 0; event < count; event++)
    if (columns.parent[event] === event) topReasons.set(event, 'cycle');
  for (const event of cutCycles(parent)) topReasons.set(event, 'cycle');
  return { ...walk(parent), parent, topReasons, ...extentOf(columns) };
}

function isRow(row: number, event: number, count: number): boolean {
  return row >= 0 && row < count && row !== event;
}

/** Moves the first event of each cycle to the top. Returns these events. */
function cutCycles(parent: Int32Array): number[] {
  const visitedBy = new Int32Array(parent.length).fill(-1);
  const cut: number[] = [];
  for (let event = 0; event < parent.length; event++) {
    let at = event;
    while (at !== -1 && visitedBy[at] === -1) {
      visitedBy[at] = event;
      at = parent[at] ?? -1;
    }
    if (at === -1 || visitedBy[at] !== event) continue;
    const first = firstOfCycle(parent, at);
    parent[first] = -1;
    cut.push(first);
  }
  return cut;
}

function firstOfCycle(parent: Int32Array, member: number): number {
  let first = member;
  for (let at = parent[member] ?? member; at !== member; at = parent[at] ?? member)
    first = Math.min(first, at);
  return first;
}

function walk(parent: Int32Array): Pick<TreeLayout, 'order' | 'position' | 'depth' | 'size'> {
  const count = parent.length;
  const { firstChild, sibling, firstTop } = linkChildren(parent);
  const [order, position] = [new Int32Array(count), new Int32Array(count)];
  const depth = new Int32Array(count);
  const open: number[] = firstTop === -1 ? [] : [firstTop];
  for (let at = 0; at < count; at++) {
    const event = open.pop() ?? -1;
    order[at] = event;
    position[event] = at;
    const above = parent[event] ?? -1;
    depth[event] = above === -1 ? 0 : (depth[above] ?? 0) + 1;
    if (sibling[event] !== -1) open.push(sibling[event] ?? -1);
    if (firstChild[event] !== -1) open.push(firstChild[event] ?? -1);
  }
  return { order, position, depth, size: subtreeSizes(order, parent) };
}

function subtreeSizes(order: Int32Array, parent: Int32Array): Int32Array {
  const size = new Int32Array(order.length).fill(1);
  for (const event of order.toReversed()) {
    const above = parent[event] ?? -1;
    if (above !== -1) size[above] = (size[above] ?? 1) + (size[event] ?? 1);
  }
  return size;
}

/** Children as linked lists in the order of the events. */
function linkChildren(parent: Int32Array) {
  const firstChild = new Int32Array(parent.length).fill(-1);
  const sibling = new Int32Array(parent.length).fill(-1);
  let firstTop = -1;
  for (let event = parent.length - 1; event >= 0; event--) {
    const above = parent[event] ?? -1;
    sibling[event] = above === -1 ? firstTop : (firstChild[above] ?? -1);
    if (above === -1) firstTop = event;
    else firstChild[above] = event;
  }
  return { firstChild, sibling, firstTop };
}

function extentOf({ start, duration }: TreeColumns): { from: number; to: number } {
  let [from, to] = [Infinity, -Infinity];
  for (let event = 0; event < start.length; event++) {
    const at = start[event] ?? 0;
    from = Math.min(from, at);
    to = Math.max(to, at + Math.max(0, duration[event] ?? 0));
  }
  return from > to ? { from: 0, to: 0 } : { from, to };
}
