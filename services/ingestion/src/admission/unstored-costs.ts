import type { LogPosition } from '@assay/event-log';
import { advancesTo, hasPassed } from './positions.js';

/** What was appended in an interval, by project. */
export interface Interval {
  /** End of the interval, in milliseconds. */
  readonly at: number;
  readonly costs: ReadonlyMap<string, number>;
}

interface EndedInterval extends Interval {
  /** An end of the log that everything of the interval is before. */
  readonly end: LogPosition;
}

/** Intervals that are kept; beyond it the two newest become one. */
const MAX_INTERVALS = 120;

/** Costs of what was appended and is not stored yet, in total and by project, in intervals of the log. */
export class UnstoredCosts {
  private readonly byProject = new Map<string, number>();
  private open = new Map<string, number>();
  private readonly intervals: EndedInterval[] = [];
  private position: LogPosition = new Map();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  of(projectId: string): number {
    return this.byProject.get(projectId) ?? 0;
  }

  /** Returns when the oldest interval that is not stored ended; undefined when there is none. */
  oldestAt(): number | undefined {
    return this.intervals[0]?.at;
  }

  /** @see StoreLag.begin */
  begin(projectId: string, cost: number): () => void {
    this.sum += cost;
    add(this.byProject, projectId, cost);
    return () => add(this.open, projectId, cost);
  }

  /** Ends an interval. Every append that has settled by now is before an end of the log that is read afterwards. */
  cut(at: number): Interval {
    const costs = this.open;
    this.open = new Map();
    return { at, costs };
  }

  /** Takes back an interval whose end of the log could not be read. */
  reopen({ costs }: Interval): void {
    for (const [projectId, cost] of costs) add(this.open, projectId, cost);
  }

  /** Returns whether the reader has made progress with the oldest interval; also when there is none. */
  advanced(position: LogPosition): boolean {
    const [oldest] = this.intervals;
    return oldest === undefined || advancesTo(oldest.end, this.position, position);
  }

  /** Adds an interval, and removes those that the position has passed. Returns the cost of what was removed. */
  observe(interval: EndedInterval, position: LogPosition): number {
    this.position = position;
    if (interval.costs.size > 0) this.intervals.push(interval);
    if (this.intervals.length > MAX_INTERVALS) this.joinNewest();
    const stored = this.intervals.findIndex(({ end }) => !hasPassed(position, end));
    const removed = this.intervals.splice(0, stored < 0 ? this.intervals.length : stored);
    return removed.reduce((sum, { costs }) => sum + this.remove(costs), 0);
  }

  private joinNewest(): void {
    const [older, newer] = this.intervals.splice(-2);
    if (older === undefined || newer === undefined) return;
    const costs = new Map(older.costs);
    for (const [projectId, cost] of newer.costs) add(costs, projectId, cost);
    this.intervals.push({ ...newer, at: older.at, costs });
  }

  private remove(costs: ReadonlyMap<string, number>): number {
    let removed = 0;
    for (const [projectId, cost] of costs) {
      removed += cost;
      add(this.byProject, projectId, -cost);
    }
    this.sum = this.byProject.size === 0 ? 0 : this.sum - removed;
    return removed;
  }
}

/** Costs are integers, so that a sum returns to zero. */
function add(costs: Map<string, number>, projectId: string, cost: number): void {
  const sum = (costs.get(projectId) ?? 0) + cost;
  if (sum === 0) costs.delete(projectId);
  else costs.set(projectId, sum);
}
