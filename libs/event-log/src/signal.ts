/** Lets one waiter sleep until somebody has news for it or its time is over; costs nothing while nothing happens. */
export class Signal {
  private wake: (() => void) | undefined;
  private news = false;

  /** Wakes the waiter; without one, the next wait returns at once. */
  notify(): void {
    this.news = true;
    this.wake?.();
  }

  /** Waits for {@link notify}, at most `ms` milliseconds when given. */
  async wait(ms?: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (!this.news) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (ms !== undefined) timer = setTimeout(resolve, ms);
      });
    }
    clearTimeout(timer);
    this.wake = undefined;
    this.news = false;
  }
}
