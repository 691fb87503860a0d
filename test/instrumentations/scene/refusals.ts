/** Outcomes of the first requests of a program for each path: twice nothing arrives; then all arrives, and its response is lost. */
const REFUSALS = ['unavailable', 'throttled', 'stored, then unavailable'] as const;
export type Refusal = (typeof REFUSALS)[number];
export type Outcome = Refusal | 'stored';

/** By path. */
export type Outcomes = Readonly<Record<string, readonly Outcome[]>>;

/** Decides about the requests of one program after the other. */
export class Refusals {
  #outcomes: Record<string, Outcome[]> = {};

  /** The outcome of the next request for the path. */
  next(path: string): Outcome {
    const past = (this.#outcomes[path] ??= []);
    const outcome = REFUSALS[past.length] ?? 'stored';
    past.push(outcome);
    return outcome;
  }

  /** Returns the outcomes of all requests, and begins with the next program. */
  take(): Outcomes {
    const outcomes = this.#outcomes;
    this.#outcomes = {};
    return outcomes;
  }
}
