/**
 * What goes wrong on purpose. `lose-response`: the statement runs, the connection is cut before a byte of the answer. `cut-stream`: the
 * answer is cut in its middle. `slow`: the statement starts `delayMs` later. `unavailable`: 503, the statement does not run.
 */
export const FAULT_KINDS = ['lose-response', 'cut-stream', 'slow', 'unavailable'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Statements that it befalls. */
  readonly times: number;
  /** Only statements that contain this text; all when absent. */
  readonly match?: string;
  readonly delayMs?: number;
}

/** The faults that are set, and how many statements each will still befall. */
export class Faults {
  #set: { fault: Fault; left: number }[] = [];

  /** @throws Error when it is no fault */
  add(fault: Fault): void {
    if (!FAULT_KINDS.includes(fault.kind) || !Number.isInteger(fault.times))
      throw new Error('a fault has a kind and a number of times');
    this.#set.push({ fault, left: fault.times });
  }

  clear(): void {
    this.#set = [];
  }

  /** The fault that befalls this statement, if any; it counts as used. */
  next(sql: string): Fault | undefined {
    const entry = this.#set.find(({ fault, left }) => left > 0 && sql.includes(fault.match ?? ''));
    if (entry === undefined) return undefined;
    entry.left -= 1;
    return entry.fault;
  }
}
