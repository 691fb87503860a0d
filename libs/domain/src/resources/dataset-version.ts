/** Number of datapoints that a change of a dataset adds, removes, or gives another content. */
export interface DatasetChange {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** State of a dataset after a change. */
export interface DatasetVersion extends DatasetChange {
  /** From 1, without gaps. */
  readonly version: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** Number of datapoints. */
  readonly datapoints: number;
}

export const NO_CHANGE: DatasetChange = { added: 0, removed: 0, changed: 0 };

/** Returns what replacing the datapoints of a dataset by others changes. */
export function datasetChange(before: readonly string[], after: readonly string[]): DatasetChange {
  const [old, current] = [new Set(before), new Set(after)];
  const lacking = (ids: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...ids].filter((id) => !others.has(id)).length;
  return { added: lacking(current, old), removed: lacking(old, current), changed: 0 };
}
