import type { TreeLayout } from './lay-out-tree.js';

/** What the tree shows of the events. */
export interface VisibleRows {
  /** Events from top to bottom. */
  readonly events: Int32Array;
  /** Shown ancestors of each of these, in the same order. */
  readonly depths: Int32Array;
  /** Events that the selection leaves out; those of closed subtrees are not among them. */
  readonly hidden: number;
}

/** Events that are neither in a closed subtree nor left out by `selects`. The depth counts shown ancestors only. */
export function visibleRows(
  layout: TreeLayout,
  closed: ReadonlySet<number>,
  selects?: (event: number) => boolean,
): VisibleRows {
  const { order, parent, size } = layout;
  const [events, depths] = [new Int32Array(order.length), new Int32Array(order.length)];
  const shownDepth = new Int32Array(order.length);
  let [count, hidden] = [0, 0];
  for (let at = 0; at < order.length; at++) {
    const event = order[at] ?? -1;
    const above = parent[event] ?? -1;
    const depth = above === -1 ? 0 : (shownDepth[above] ?? 0);
    const isShown = selects?.(event) ?? true;
    shownDepth[event] = isShown ? depth + 1 : depth;
    if (isShown) {
      events[count] = event;
      depths[count++] = depth;
      if (closed.has(event)) at += (size[event] ?? 1) - 1;
    } else hidden++;
  }
  return { events: events.slice(0, count), depths: depths.slice(0, count), hidden };
}

/** The nearest shown event: the event itself, else an ancestor, else the one above in the order; -1 without rows. */
export function nearestRow({ events }: VisibleRows, { parent, position }: TreeLayout, event: number): number {
  const rows = new Map(Array.from(events, (one, row) => [one, row]));
  for (let at = event; at !== -1; at = parent[at] ?? -1) {
    const row = rows.get(at);
    if (row !== undefined) return row;
  }
  const wanted = position[event] ?? 0;
  let row = -1;
  while (row + 1 < events.length && (position[events[row + 1] ?? 0] ?? 0) <= wanted) row++;
  return Math.min(Math.max(row, 0), events.length - 1);
}
