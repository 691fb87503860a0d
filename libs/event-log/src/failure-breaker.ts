/** Number of recent records that the failure rate is computed over. */
const WINDOW = 10_000;
/** Below this number of records the failure rate is meaningless. */
const MIN_SAMPLES = 1_000;
const MAX_FAILURE_RATE = 0.01;
/** Maximum number of consecutive failures. */
const MAX_CONSECUTIVE = 100;

/**
 * Circuit breaker for dead letters. When too many records fail, the reader is more likely to be at fault than
 * the records, and reading on would turn the whole log into dead letters.
 */
export class FailureBreaker {
  /** Ring buffer of the last outcomes, 1 for a failure. */
  private readonly outcomes = new Uint8Array(WINDOW);
  private seen = 0;
  private failures = 0;
  private consecutive = 0;

  recordSuccess(count: number): void {
    for (let index = 0; index < count; index += 1) this.record(0);
    if (count > 0) this.consecutive = 0;
  }

  recordFailure(): void {
    this.record(1);
    this.consecutive += 1;
  }

  /**
   * Returns whether one more failure would be too many: more than 100 in a row, or more than 1 % of the last
   * 10,000.
   */
  isFull(): boolean {
    if (this.consecutive >= MAX_CONSECUTIVE) return true;
    const records = Math.min(this.seen + 1, WINDOW);
    return records >= MIN_SAMPLES && this.failures + 1 > records * MAX_FAILURE_RATE;
  }

  private record(outcome: 0 | 1): void {
    const slot = this.seen % WINDOW;
    this.failures += outcome - (this.outcomes[slot] ?? 0);
    this.outcomes[slot] = outcome;
    this.seen += 1;
  }
}
