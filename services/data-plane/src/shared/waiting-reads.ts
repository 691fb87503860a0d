/** Reads of one project that wait together; more of them do not wait. */
const MAX_WAITING = 16;

/**
 * Counts the reads that wait for what was accepted before, so that a project that asks for what does not exist cannot
 * have any number of them waiting.
 */
export class WaitingReads {
  readonly #waiting = new Map<string, number>();

  /** Runs `wait` unless too many reads of the project wait already. @returns whether it ran */
  async run(projectId: string, wait: () => Promise<unknown>): Promise<boolean> {
    const waiting = this.#waiting.get(projectId) ?? 0;
    if (waiting >= MAX_WAITING) return false;
    this.#waiting.set(projectId, waiting + 1);
    try {
      await wait();
      return true;
    } finally {
      this.#leave(projectId);
    }
  }

  #leave(projectId: string): void {
    const left = (this.#waiting.get(projectId) ?? 1) - 1;
    if (left > 0) this.#waiting.set(projectId, left);
    else this.#waiting.delete(projectId);
  }
}
