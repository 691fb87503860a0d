/**
 * Faults to inject. `lose-response`: the statement runs and the connection closes before the response. `cut-stream`: the connection
 * closes in the middle of the response. `slow`: the statement starts after `delayMs`. `unavailable`: 503, the statement does not run.
 * `rewrite`: the statement runs with `replacement` instead of `match`, such as another version of the server.
 */
export const FAULT_KINDS = ['lose-response', 'cut-stream', 'slow', 'unavailable', 'rewrite'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Number of statements to affect. */
  readonly times: number;
  /** Only statements that contain this text; all when absent. */
  readonly match?: string;
  readonly delayMs?: number;
  readonly replacement?: string;
}

/** The active faults and how many statements each still affects. */
export class Faults {
  #set: { fault: Fault; left: number }[] = [];

  /** @throws Error on an unknown kind or a count that is not an integer */
  add(fault: Fault): void {
    if (!FAULT_KINDS.includes(fault.kind) || !Number.isInteger(fault.times))
      throw new Error('a fault needs a known kind and an integer number of times');
    this.#set.push({ fault, left: fault.times });
  }

  clear(): void {
    this.#set = [];
  }

  /** Consumes and returns the fault that applies to this statement, if any. */
  next(sql: string): Fault | undefined {
    const entry = this.#set.find(({ fault, left }) => left > 0 && sql.includes(fault.match ?? ''));
    if (entry === undefined) return undefined;
    entry.left -= 1;
    return entry.fault;
  }
}
