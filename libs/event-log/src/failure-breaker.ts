/** Records of the past that the share is taken of. */
const WINDOW = 10_000;
/** Below this many records a share says nothing. */
const MIN_SAMPLES = 1_000;
/** Share of the window that may be set aside. */
const LARGEST_SHARE = 0.01;
/** Records that may be set aside one after the other. */
const MAX_CONSECUTIVE = 100;

/**
 * Tells bad records from a bad reader: when too many records would be set aside, the fault is more likely ours than theirs, and
 * reading on would move the whole log to the dead letters.
 */
export class FailureBreaker {
  /** Ring of the last outcomes, 1 for set aside. */
  private readonly outcomes = new Uint8Array(WINDOW);
  private seen = 0;
  private aside = 0;
  private run = 0;

  /** Notes records that were handled. */
  handled(count: number): void {
    for (let index = 0; index < count; index += 1) this.note(0);
    if (count > 0) this.run = 0;
  }

  /** Notes a record that was set aside. */
  deadLetter(): void {
    this.note(1);
    this.run += 1;
  }

  /** Whether one more record set aside would be too many: more than 100 in a row, or more than 1 % of the last 10,000. */
  isFull(): boolean {
    if (this.run >= MAX_CONSECUTIVE) return true;
    const records = Math.min(this.seen + 1, WINDOW);
    return records >= MIN_SAMPLES && this.aside + 1 > records * LARGEST_SHARE;
  }

  private note(outcome: 0 | 1): void {
    const slot = this.seen % WINDOW;
    this.aside += outcome - (this.outcomes[slot] ?? 0);
    this.outcomes[slot] = outcome;
    this.seen += 1;
  }
}
