import type { TreeColumns, TreeLayout } from './lay-out-tree.js';

/** How many events run at a time, in equal parts of the session. */
export interface MinimapBuckets {
  readonly running: Float64Array;
  /** Parts in which an event with an error runs. */
  readonly hasError: Uint8Array;
  readonly most: number;
}

/** Counts the events without children, which do the work, and marks the parts with errors. */
export function minimapBuckets(
  columns: TreeColumns,
  layout: TreeLayout,
  options: { readonly count: number; readonly isError: (event: number) => boolean },
): MinimapBuckets {
  const { count, isError } = options;
  const changes = new Float64Array(count + 1);
  const hasError = new Uint8Array(count);
  const width = Math.max(layout.to - layout.from, 1e-9);
  const bucketAt = (time: number) => Math.min(count - 1, Math.floor(((time - layout.from) / width) * count));
  for (let event = 0; event < columns.start.length; event++) {
    const start = columns.start[event] ?? 0;
    const [first, last] = [bucketAt(start), bucketAt(start + Math.max(0, columns.duration[event] ?? 0))];
    if (isError(event)) hasError.fill(1, first, last + 1);
    if (layout.size[event] !== 1) continue;
    changes[first] = (changes[first] ?? 0) + 1;
    changes[last + 1] = (changes[last + 1] ?? 0) - 1;
  }
  return { ...sumUp(changes, count), hasError };
}

function sumUp(changes: Float64Array, count: number): { running: Float64Array; most: number } {
  const running = new Float64Array(count);
  let [sum, most] = [0, 0];
  for (let bucket = 0; bucket < count; bucket++) {
    sum += changes[bucket] ?? 0;
    running[bucket] = sum;
    most = Math.max(most, sum);
  }
  return { running, most };
}
