/** Milliseconds of work with bodies before the event loop takes in what has come meanwhile. */
const WORK_MS = 20;
/** Taking in ends after so many turns of the loop without a request. The loop accepts one connection per turn and reads from it in the next. */
const QUIET_TURNS = 3;
/** It ends after so many turns at the latest: then work goes on, however many requests still come. */
const MAX_INTAKE_TURNS = 64;

/**
 * Spreads the work that follows a body (parsing, checking, mapping) over turns of the event loop, because nothing else happens while it
 * runs. Work alternates with taking in requests, so that those that are too many are refused at once instead of waiting unread. What
 * does not fit waits, and goes on one project after the other: a project that sends much waits for itself. Those
 * who wait hold their bytes, so the byte budget bounds their number.
 */
export class FairTurns {
  /** Who waits, by project; the project whose turn comes next stands first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When the present stretch of work began. While it is set, an end of the turn is to come. */
  #beganAt: number | undefined;
  #intakeTurns = 0;
  #turnsSinceArrival = 0;

  /** Tells that a request has come. */
  arrived(): void {
    this.#turnsSinceArrival = 0;
  }

  /** @returns undefined when the work may begin at once, else what resolves when it may */
  take(projectId: string): Promise<void> | undefined {
    if (this.#beganAt === undefined) this.#begin();
    if (this.#waiting.size === 0 && this.#hasTime()) return undefined;
    return new Promise((begin) => {
      const queue = this.#waiting.get(projectId);
      if (queue) queue.push(begin);
      else this.#waiting.set(projectId, [begin]);
    });
  }

  #begin(): void {
    this.#beganAt = performance.now();
    setImmediate(() => this.#endTurn());
  }

  #hasTime(): boolean {
    return performance.now() - (this.#beganAt ?? 0) < WORK_MS;
  }

  #endTurn(): void {
    if (this.#waiting.size === 0) {
      this.#beganAt = undefined;
      return;
    }
    setImmediate(() => this.#endTurn());
    if (this.#hasTime() || this.#hasTakenIn()) this.#nextInLine()?.();
  }

  /** Counts one turn of taking in; at the last one the next stretch of work begins. */
  #hasTakenIn(): boolean {
    this.#intakeTurns++;
    this.#turnsSinceArrival++;
    if (this.#turnsSinceArrival < QUIET_TURNS && this.#intakeTurns < MAX_INTAKE_TURNS) return false;
    this.#intakeTurns = 0;
    this.#beganAt = performance.now();
    return true;
  }

  #nextInLine(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [projectId, queue] = first;
    const begin = queue.shift();
    this.#waiting.delete(projectId);
    if (queue.length > 0) this.#waiting.set(projectId, queue);
    return begin;
  }
}
