/** Lets one waiter sleep until it is notified or a timeout expires. Costs nothing while idle. */
export class Signal {
  private wake: (() => void) | undefined;
  private notified = false;

  /** Wakes the waiter. Without one, the next wait returns immediately. */
  notify(): void {
    this.notified = true;
    this.wake?.();
  }

  /** Waits for {@link notify}, at most `ms` milliseconds when given. */
  async wait(ms?: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (!this.notified) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (ms !== undefined) timer = setTimeout(resolve, ms);
      });
    }
    clearTimeout(timer);
    this.wake = undefined;
    this.notified = false;
  }
}
