/** Number of recent records that the failure rate is computed over. */
const WINDOW = 10_000;
/** Below this number of records the failure rate is meaningless. */
const MIN_SAMPLES = 1_000;
const MAX_FAILURE_RATE = 0.01;
/** Maximum number of consecutive failures. */
const MAX_CONSECUTIVE = 100;
/** One project fills at most this share of either limit, so that no project can trip the breaker alone. */
const MAX_PROJECT_SHARE = 0.5;

/** A failure of a record that names no project. It is no project's fault, so its share is not limited. */
const NO_PROJECT = Symbol('no project');

type FailedProject = string | typeof NO_PROJECT;

/**
 * Circuit breaker for dead letters. When too many records fail, the reader is more likely to be at fault than
 * the records, and reading on would turn the whole log into dead letters. Failures of a single project never
 * trip it: each project counts for at most half of a limit.
 */
export class FailureBreaker {
  /** Ring buffer of the last outcomes: the project of a failure, undefined for a success. */
  private readonly outcomes = new Array<FailedProject | undefined>(WINDOW).fill(undefined);
  private readonly failures = new Map<FailedProject, number>();
  private readonly consecutive = new Map<FailedProject, number>();
  private seen = 0;

  recordSuccess(count: number): void {
    for (let index = 0; index < count; index += 1) this.record(undefined);
    if (count > 0) this.consecutive.clear();
  }

  recordFailure(project?: string): void {
    const failed = project ?? NO_PROJECT;
    this.record(failed);
    addTo(this.consecutive, failed, 1);
  }

  /**
   * Returns whether one more failure would be too many: more than 100 in a row, or more than 1 % of the last
   * 10,000.
   */
  isFull(): boolean {
    if (cappedSum(this.consecutive, MAX_CONSECUTIVE) >= MAX_CONSECUTIVE) return true;
    const records = Math.min(this.seen + 1, WINDOW);
    const limit = records * MAX_FAILURE_RATE;
    return records >= MIN_SAMPLES && cappedSum(this.failures, limit) + 1 > limit;
  }

  private record(outcome: FailedProject | undefined): void {
    const slot = this.seen % WINDOW;
    const replaced = this.outcomes[slot];
    if (replaced !== undefined) addTo(this.failures, replaced, -1);
    if (outcome !== undefined) addTo(this.failures, outcome, 1);
    this.outcomes[slot] = outcome;
    this.seen += 1;
  }
}

function addTo(counts: Map<FailedProject, number>, project: FailedProject, count: number): void {
  const sum = (counts.get(project) ?? 0) + count;
  if (sum === 0) counts.delete(project);
  else counts.set(project, sum);
}

function cappedSum(counts: ReadonlyMap<FailedProject, number>, limit: number): number {
  let sum = 0;
  for (const [project, count] of counts)
    sum += project === NO_PROJECT ? count : Math.min(count, limit * MAX_PROJECT_SHARE);
  return sum;
}
