import { describeCause, type Logger } from '../log/logger.js';

/** Collects what must be closed, in the order of opening, and closes it in reverse. */
export class ShutdownStack {
  private readonly steps: { name: string; close: () => Promise<void> }[] = [];
  private running: Promise<boolean> | undefined;

  constructor(private readonly logger: Logger) {}

  /** Registers a step and returns the thing itself, so that opening and registering is one line. */
  add<T>(name: string, thing: T, close: (thing: T) => Promise<void>): T {
    this.steps.push({ name, close: () => close(thing) });
    return thing;
  }

  /** Runs all steps, newest first, also after one of them failed. True when all went well. Idempotent. */
  close(): Promise<boolean> {
    this.running ??= this.closeAll();
    return this.running;
  }

  private async closeAll(): Promise<boolean> {
    let clean = true;
    for (const { name, close } of [...this.steps].reverse()) {
      try {
        await close();
      } catch (error) {
        clean = false;
        this.logger.error('could not close', { part: name, ...describeCause(error) });
      }
    }
    return clean;
  }
}
