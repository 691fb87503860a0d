const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type EndSignal = (typeof SIGNALS)[number];

/** The signals that end a process in order. Until `hold` each of them ends it immediately. */
export class EndSignals {
  private readonly held: EndSignal[] = [];
  private end = (signal: EndSignal): unknown => this.held.push(signal);
  private isHolding = false;

  /** Holds signals until `deliver`. A process calls it before it says that it is ready, since it may be ended right after. */
  hold(): void {
    if (this.isHolding) return;
    this.isHolding = true;
    for (const signal of SIGNALS) process.on(signal, () => this.end(signal));
  }

  /** Calls `end` with each signal that was held, and with each one that arrives from now on. */
  deliver(end: (signal: EndSignal) => void): void {
    this.hold();
    this.end = end;
    for (const signal of this.held.splice(0)) end(signal);
  }
}
