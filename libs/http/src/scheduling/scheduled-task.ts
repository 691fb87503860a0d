import type { FairQueue } from './fair-queue.js';

/** Milliseconds after which long work pauses. */
export const SLICE_MS = 5;

/** Who gives turns to the work of requests. */
export interface TaskScheduler {
  now(): number;
  admit(project: FairQueue): void;
  begin(work: ScheduledTask, project: FairQueue, bytes: number): Promise<void> | undefined;
  pause(work: ScheduledTask, project: FairQueue): Promise<void>;
}

/** The work of one request on the event loop, in pieces. */
export class ScheduledTask {
  #bytes = 0;
  #spentMs = 0;
  /** When the present piece began; undefined while the request waits. */
  #resumedAt: number | undefined;

  constructor(
    private readonly turns: TaskScheduler,
    private readonly project: FairQueue,
  ) {}

  /** To be called before the body is read. @throws AppError `OVERLOADED` when more of the project waits than is done soon */
  admit(): void {
    this.turns.admit(this.project);
  }

  /**
   * To be called when the body is there.
   * @param bytes of the body, inflated
   * @returns undefined when the work may begin at once, else what resolves when it may
   * @throws AppError `OVERLOADED` as {@link admit}, for bodies of which too many were let in
   */
  begin(bytes: number): Promise<void> | undefined {
    this.#bytes = bytes;
    return this.turns.begin(this, this.project, bytes);
  }

  /**
   * To be called between parts of the work, as often as one likes.
   * @returns undefined when it may go on at once, else what resolves when it may
   */
  readonly pause = (): Promise<void> | undefined => {
    if (this.#resumedAt === undefined || this.turns.now() - this.#resumedAt < SLICE_MS) return undefined;
    this.measured();
    return this.turns.pause(this, this.project);
  };

  /** A piece begins. */
  resumed(): void {
    this.#resumedAt = this.turns.now();
  }

  /** The request waits for something else; how long the piece took is not known. */
  suspended(): void {
    this.#resumedAt = undefined;
  }

  /** A piece ends now, if one has begun. */
  measured(): void {
    if (this.#resumedAt === undefined) return;
    const ms = this.turns.now() - this.#resumedAt;
    this.suspended();
    this.#spentMs += ms;
    this.project.servedMs += ms;
  }

  /** The request is answered: what it took says what the next ones will take. */
  close(): void {
    if (this.#spentMs > 0) this.project.measured(this.#bytes, this.#spentMs);
  }
}
