import type { TreeColumns, TreeLayout } from './lay-out-tree.js';

/** Selections that the pills of a session offer. */
export const PILLS = ['key', 'errors', 'critical', 'slow'] as const;
export type Pill = (typeof PILLS)[number];

/** Columns that tell which events matter. */
export interface StepColumns extends TreeColumns {
  readonly types: readonly string[];
  readonly type: readonly number[];
  readonly errors: Readonly<Record<string, unknown>>;
  /** Kinds of events beside their types, such as agent or retriever; absent from servers without them. */
  readonly kinds?: readonly string[] | undefined;
  readonly kind?: readonly number[] | undefined;
}

const KEY_TYPES: ReadonlySet<string> = new Set(['model', 'tool']);
const KEY_KINDS = /agent|retriev|rerank|embedding|guardrail|evaluator/i;

/** Model calls, tools, agents, retrievers and errors; not what only wraps them. */
export function isKeyStep(columns: StepColumns, event: number): boolean {
  const type = columns.types[columns.type[event] ?? -1] ?? '';
  const kind = columns.kinds?.[columns.kind?.[event] ?? -1] ?? '';
  return KEY_TYPES.has(type) || KEY_KINDS.test(kind) || isError(columns, event);
}

export function isError({ errors }: StepColumns, event: number): boolean {
  return Object.hasOwn(errors, String(event));
}

/**
 * The events without which the session would have ended earlier: from the end of each event backwards, the child that ended
 * last, and what had to end before that child started.
 */
export function criticalPath(columns: TreeColumns, layout: TreeLayout): ReadonlySet<number> {
  const endOf = (event: number) => (columns.start[event] ?? 0) + Math.max(0, columns.duration[event] ?? 0);
  const children = childrenByEnd(layout, endOf);
  const path = new Set<number>();
  const open: [parent: number, bound: number][] = [[-1, layout.to]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, limit] = next;
    let bound = limit;
    for (const child of children.get(parent) ?? []) {
      const [start, end] = [columns.start[child] ?? 0, Math.min(endOf(child), limit)];
      if (end > bound || start > end) continue;
      path.add(child);
      open.push([child, end]);
      bound = start;
    }
  }
  return path;
}

function childrenByEnd({ parent }: TreeLayout, endOf: (event: number) => number): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (let event = 0; event < parent.length; event++) {
    const above = parent[event] ?? -1;
    const siblings = children.get(above);
    if (siblings === undefined) children.set(above, [event]);
    else siblings.push(event);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => endOf(b) - endOf(a) || a - b);
  return children;
}

/** The slowest twentieth of the events with a duration among those that `counts`, at least one; ties are included. */
export function slowestEvents(columns: TreeColumns, counts: (event: number) => boolean): ReadonlySet<number> {
  const events = columns.duration.flatMap((duration, event) =>
    duration !== null && duration > 0 && counts(event) ? [event] : [],
  );
  const durationOf = (event: number) => columns.duration[event] ?? 0;
  const sorted = events.map(durationOf).sort((a, b) => b - a);
  const least = sorted[Math.ceil(sorted.length / 20) - 1] ?? Infinity;
  return new Set(events.filter((event) => durationOf(event) >= least));
}
