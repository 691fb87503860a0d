import { AppError, unavailable } from '@assay/errors';
import { queryTooLarge } from './engine/engine-failure.js';

/** Reads for a client until the signal aborts. It may be called a second time after the signal of the first call has aborted. */
export type RunnableQuery<Result> = (signal: AbortSignal) => Promise<Result>;

export interface QueryRunOptions {
  /** Maximum duration of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an attempt runs before it is long, in milliseconds. */
  readonly longMs: number;
  readonly onLong: () => void;
  /** How long an attempt runs before the query is heavy, in milliseconds. */
  readonly heavyMs: number;
  /** Called when the query is heavy, or had to yield. */
  readonly onHeavy: () => void;
  /** Aborts when the result is no longer needed. */
  readonly ended: AbortSignal;
}

interface Attempt {
  readonly stop: AbortController;
  /** Resolves when the query has ended, also after it was cancelled. */
  readonly done: Promise<void>;
}

/**
 * One query, from its arrival to its result. It waits for its turn, and may run in the reserve meanwhile. When its turn comes, the
 * attempt that runs in the reserve continues in the slot of the turn.
 */
export class QueryRun<Result> {
  readonly result: Promise<Result>;
  /** Aborts when the query needs no turn any more. */
  readonly leavesQueue: AbortSignal;
  /** Aborts when the query needs no place in the reserve any more. */
  readonly leavesReserve: AbortSignal;
  readonly #query: RunnableQuery<Result>;
  readonly #options: QueryRunOptions;
  readonly #settled = new AbortController();
  readonly #turn = new AbortController();
  #resolve: (result: Result) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  /** The attempt whose result counts. */
  #attempt: Attempt | undefined;
  #isLong = false;
  /** Why the query gets no turn. */
  #refusal: { readonly error: unknown } | undefined;

  constructor(query: RunnableQuery<Result>, options: QueryRunOptions) {
    this.#query = query;
    this.#options = options;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { ended } = options;
    this.leavesQueue = AbortSignal.any([ended, this.#settled.signal]);
    this.leavesReserve = AbortSignal.any([ended, this.#settled.signal, this.#turn.signal]);
    ended.addEventListener('abort', () => this.#fail(abortError(ended)), {
      ...{ once: true, signal: this.#settled.signal },
    });
  }

  /** Runs in the slot of its turn. Resolves when the slot is free again. */
  async inTurn(): Promise<void> {
    if (this.#settled.signal.aborted) return;
    this.#turn.abort();
    this.#attempt ??= this.#start();
    await this.#attempt.done;
  }

  /** Runs in the reserve. Resolves when the reserve is free again. */
  async inReserve(): Promise<void> {
    if (this.leavesReserve.aborted) return;
    const attempt = this.#start();
    this.#attempt = attempt;
    const { signal } = this.#turn;
    const moved = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([attempt.done, moved]);
    // A cancelled attempt does not move: it occupies the reserve until the engine has ended it.
    if (attempt.stop.signal.aborted) await attempt.done;
  }

  /** Cancels an attempt in the reserve that has become long: the query runs again in its turn. */
  yieldIfLong(): void {
    if (!this.#isLong || this.#turn.signal.aborted) return;
    const attempt = this.#attempt;
    this.#attempt = undefined;
    attempt?.stop.abort();
    this.#options.onHeavy();
    if (this.#refusal !== undefined) this.#fail(this.#refusal.error);
  }

  /** The query gets no turn. It fails unless it runs in the reserve. */
  refuse(error: unknown): void {
    this.#refusal = { error };
    if (this.#attempt === undefined) this.#fail(error);
  }

  #start(): Attempt {
    const { timeoutMs, longMs, onLong, heavyMs, onHeavy, ended } = this.#options;
    const stop = new AbortController();
    const signal = AbortSignal.any([ended, this.#settled.signal, stop.signal]);
    this.#isLong = false;
    const becomeLong = () => {
      this.#isLong = true;
      onLong();
    };
    const timers = [
      setTimeout(becomeLong, longMs),
      setTimeout(onHeavy, heavyMs),
      setTimeout(() => this.#fail(queryTooLarge()), timeoutMs),
    ];
    const done = Promise.resolve(signal)
      .then((cancelled) => this.#query(cancelled))
      .then(
        (result) => this.#succeed(result),
        (error: unknown) => {
          if (!stop.signal.aborted) this.#fail(error);
        },
      )
      .finally(() => timers.forEach(clearTimeout));
    return { stop, done };
  }

  #succeed(result: Result): void {
    this.#resolve(result);
    this.#settled.abort();
  }

  #fail(error: unknown): void {
    this.#reject(error);
    this.#settled.abort(error);
  }
}

/** Returns the error of a caller whose signal has aborted. */
export function abortError({ reason }: AbortSignal): AppError {
  return reason instanceof AppError ? reason : unavailable('the query was cancelled', reason);
}
