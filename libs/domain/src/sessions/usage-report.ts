import type { Parents } from './join-fragments.js';

/** Tokens and cost that events report. */
export interface ReportedUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** USD. */
  readonly cost: number;
}

/** Usage that one event of a session reports. Ids and texts are replaced by numbers; 0 means none. */
export interface UsageReport extends ReportedUsage {
  readonly id: number;
  readonly trace: number;
  /**
   * Whether it is a total over the events below (`aggregate_usage`), rather than a model call of the event
   * itself.
   */
  readonly isSum: boolean;
  /** Response of a call. */
  readonly response: number;
  /** Model of a call, by its plain name, together with its token counts. */
  readonly counts: number;
  /** Whether the cost is an estimate from the price table. */
  readonly isCostEstimated: boolean;
  /** Model of an event that reports tokens and no cost, by its plain name; empty for every other event. */
  readonly unpricedModel: string;
}

/** Whether a call and the nearest one below it are one, which two layers report. */
export function isSameCall(one: UsageReport, other: UsageReport): boolean {
  return (
    (one.response !== 0 && one.response === other.response) ||
    (one.counts !== 0 && one.counts === other.counts)
  );
}

/** Groups of two or more calls of one trace below one event that report the same response, model and counts. */
export function sameSiblings(parents: Parents, calls: readonly UsageReport[]): UsageReport[][] {
  const groups = new Map<string, UsageReport[]>();
  for (const call of calls) {
    if (call.trace === 0 || call.response === 0 || call.counts === 0) continue;
    const key = [call.trace, parents.get(call.id) ?? 0, call.response, call.counts].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Returns the ids of everything above these events. */
export function ancestorsOf(ids: Iterable<number>, parents: Parents): Set<number> {
  const ancestors = new Set<number>();
  for (const id of ids) {
    for (let at = parents.get(id) ?? 0; at !== 0 && !ancestors.has(at); at = parents.get(at) ?? 0)
      ancestors.add(at);
  }
  return ancestors;
}

/**
 * Returns a function that finds the nearest reporter above an event, 0 if there is none or the way up is a cycle. Visits every
 * event once.
 */
export function reporterAbove(parents: Parents, reporters: ReadonlySet<number>): (id: number) => number {
  const known = new Map<number, number>([[0, 0]]);
  return (id) => {
    const path = new Set<number>();
    let found: number | undefined;
    for (let at = id; found === undefined;) {
      path.add(at);
      at = parents.get(at) ?? 0;
      found = reporters.has(at) ? at : path.has(at) ? 0 : known.get(at);
    }
    for (const passed of path) known.set(passed, found);
    return found;
  };
}
