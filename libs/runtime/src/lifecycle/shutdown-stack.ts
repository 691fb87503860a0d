import { describeCause, type Logger } from '../log/logger.js';

/** Collects the parts of a process in the order of opening and closes them in reverse. */
export class ShutdownStack {
  private readonly steps: { name: string; close: () => Promise<void> }[] = [];
  private running: Promise<boolean> | undefined;

  constructor(private readonly logger: Logger) {}

  /** Registers how a part is closed and returns the part, so that opening and registering is one expression. */
  add<T>(name: string, part: T, close: (part: T) => Promise<void>): T {
    this.steps.push({ name, close: () => close(part) });
    return part;
  }

  /** Closes all parts, newest first, and continues after a failure. Resolves to true when all closed without an error. Idempotent. */
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
        this.logger.error('part failed to close', { part: name, ...describeCause(error) });
      }
    }
    return clean;
  }
}
