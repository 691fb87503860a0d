import { AppError } from '@assay/errors';
import { ScheduledTask, SLICE_MS } from './scheduled-task.js';
import { FairQueue } from './fair-queue.js';

/** Milliseconds of work before the event loop takes in what has come meanwhile. */
const WORK_MS = 20;
/** Taking in ends after so many turns of the loop without a request. The loop accepts one connection per turn and reads from it in the next. */
const QUIET_TURNS = 3;
/** It ends after so many milliseconds and turns at the latest: then work goes on, however many requests still come. */
const INTAKE_MS = 10;
const INTAKE_TURNS = 16;
/** About what it takes to refuse a request. It counts as time that the project was given. */
const REFUSAL_MS = 0.1;
/** Work that waits, over all projects, in milliseconds: what comes beyond a project's part of it is refused. */
const MAX_WAITING_MS = 1_000;
/** So many requests of a project may wait, whatever they cost. */
const ALWAYS_WAITING = 4;
/** Bodies that were let in before others were known may find the queue longer by this factor when they have arrived. */
const SLACK = 2;
/** Projects that are remembered while nothing waits. */
const MAX_REMEMBERED = 1_000;

/**
 * Spreads the work that follows a body (parsing, checking, mapping) over turns of the event loop, because nothing else happens while it
 * runs. Work alternates with taking in requests, so that those that are too many are refused at once instead of waiting unread.
 *
 * What does not fit waits by project. The turn goes to the project that was given the least time so far (start-time fair queueing; Goyal, Vin and
 * Cheng 1996): one that sends much waits for itself, and one that has sent nothing lately begins at once. Long work pauses every few
 * milliseconds, so the others wait for a piece of it, not for all. A project whose requests wait for more work than its part of
 * a second is refused before its body is read.
 */
export class FairScheduler {
  readonly #projects = new Map<string, FairQueue>();
  /** Projects with work that waits. */
  readonly #waiting = new Set<FairQueue>();
  /** When the present stretch of work began. While it is set, an end of the turn is to come. */
  #beganAt: number | undefined;
  /** When taking in began; undefined while there is work. */
  #takingInSince: number | undefined;
  #intakeTurns = 0;
  #turnsSinceArrival = 0;
  /** What the project whose turn came last had been given before: where those begin who come anew. */
  #clockMs = 0;
  /** Whose turn it is, while it is. */
  #current: ScheduledTask | undefined;
  /** What was begun ahead of those who wait, since the last turn, and the milliseconds that it is expected to take. */
  #ahead: ScheduledTask[] = [];
  #aheadMs = 0;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** Tells that a request has come. */
  arrived(): void {
    this.#turnsSinceArrival = 0;
  }

  /** Opens the work of one request. */
  open(projectId: string): ScheduledTask {
    return new ScheduledTask(this, this.#project(projectId));
  }

  /** @throws AppError `OVERLOADED` when more of the project waits than is done soon */
  admit(project: FairQueue): void {
    this.#refuseBeyond(MAX_WAITING_MS, project);
  }

  /** @see ScheduledTask.begin */
  begin(work: ScheduledTask, project: FairQueue, bytes: number): Promise<void> | undefined {
    if (this.#beganAt === undefined) this.#beginStretch();
    if (project.length === 0) project.servedMs = Math.max(project.servedMs, this.#clockMs);
    const expectedMs = project.expectedMs(bytes);
    if (!this.#mayBegin(project)) {
      this.#refuseBeyond(MAX_WAITING_MS * SLACK, project);
      return this.#wait(work, project, expectedMs, false);
    }
    work.resumed();
    project.servedMs += expectedMs;
    this.#ahead.push(work);
    this.#aheadMs += expectedMs;
    return undefined;
  }

  /** @see ScheduledTask.pause */
  pause(work: ScheduledTask, project: FairQueue): Promise<void> {
    if (this.#beganAt === undefined) this.#beginStretch();
    return this.#wait(work, project, SLICE_MS, true);
  }

  #project(projectId: string): FairQueue {
    let project = this.#projects.get(projectId);
    if (project === undefined) this.#projects.set(projectId, (project = new FairQueue()));
    return project;
  }

  #refuseBeyond(maxMs: number, project: FairQueue): void {
    if (project.length < ALWAYS_WAITING || project.waitingMs * this.#waiting.size <= maxMs) return;
    project.servedMs += REFUSAL_MS;
    throw new AppError(
      'OVERLOADED',
      'more requests of the project wait than can be carried out soon, send the request again later',
    );
  }

  #wait(work: ScheduledTask, project: FairQueue, expectedMs: number, first: boolean): Promise<void> {
    this.#waiting.add(project);
    return new Promise((resolve) => {
      const begin = () => {
        this.#current = work;
        work.resumed();
        resolve();
      };
      project.add({ begin, expectedMs }, first);
    });
  }

  #mayBegin(project: FairQueue): boolean {
    if (this.#waiting.size === 0) return this.#hasTime();
    return project.length === 0 && project.servedMs <= this.#clockMs && this.#aheadMs < WORK_MS;
  }

  #hasTime(): boolean {
    return this.now() - (this.#beganAt ?? 0) < WORK_MS;
  }

  #beginStretch(): void {
    this.#beganAt = this.now();
    this.#nextTurn();
  }

  /** Two callbacks of one turn of the loop: what the first one begins is done, or pauses, before the second. */
  #nextTurn(): void {
    setImmediate(() => this.#turn());
    setImmediate(() => this.#afterTurn());
  }

  #turn(): void {
    for (const work of this.#ahead.splice(0)) work.suspended();
    this.#aheadMs = 0;
    if (this.#waiting.size > 0 && (this.#hasTime() || this.#hasTakenIn())) this.#beginLeastServed();
  }

  #afterTurn(): void {
    this.#current?.measured();
    this.#current = undefined;
    if (this.#waiting.size > 0) this.#nextTurn();
    else this.#rest();
  }

  #beginLeastServed(): void {
    const project = [...this.#waiting].reduce((least, other) =>
      other.servedMs < least.servedMs ? other : least,
    );
    this.#clockMs = Math.max(this.#clockMs, project.servedMs);
    project.beginNext();
    if (project.length === 0) this.#waiting.delete(project);
  }

  /** Counts one turn of taking in; at the last one the next stretch of work begins. */
  #hasTakenIn(): boolean {
    const now = this.now();
    this.#takingInSince ??= now;
    this.#intakeTurns++;
    this.#turnsSinceArrival++;
    const isLong = this.#intakeTurns >= INTAKE_TURNS && now - this.#takingInSince >= INTAKE_MS;
    if (this.#turnsSinceArrival < QUIET_TURNS && !isLong) return false;
    this.#endIntake();
    this.#beganAt = now;
    return true;
  }

  #endIntake(): void {
    this.#takingInSince = undefined;
    this.#intakeTurns = 0;
  }

  /** Nothing waits: what was given so far counts no longer. */
  #rest(): void {
    this.#beganAt = undefined;
    this.#endIntake();
    for (const { servedMs } of this.#projects.values()) this.#clockMs = Math.max(this.#clockMs, servedMs);
    if (this.#projects.size > MAX_REMEMBERED) this.#projects.clear();
  }
}
