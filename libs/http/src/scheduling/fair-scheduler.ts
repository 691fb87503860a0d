import { AppError } from '@assay/errors';
import { ScheduledTask, SLICE_MS } from './scheduled-task.js';
import { FairQueue } from './fair-queue.js';

/** Milliseconds of processing between two intake phases, in which the event loop accepts new requests. */
const WORK_PHASE_MS = 20;
/**
 * An intake phase ends after this many turns of the event loop without a new request. The loop accepts one connection per
 * turn and reads from it in the next.
 */
const QUIET_TURNS = 3;
/** An intake phase ends at the latest after this many milliseconds and turns, even when requests keep arriving. */
const MAX_INTAKE_MS = 10;
const MAX_INTAKE_TURNS = 16;
/** Approximate cost of rejecting a request. It is charged to the project. */
const REJECTION_MS = 0.1;
/** Maximum expected time of all waiting tasks, in milliseconds; a project beyond its share of it is rejected. */
const MAX_WAITING_MS = 1_000;
/** A project may always have this many waiting requests, whatever they cost. */
const MIN_QUEUE_LENGTH = 4;
/** A project is alone when no other one has sent a request for this long. */
const ALONE_MS = 60_000;
/** Maximum number of waiting requests of a project that is alone. */
const MAX_QUEUE_LENGTH_ALONE = 2_000;
/** Bodies accepted before the queue grew may exceed the limit by this factor once they have arrived. */
const ARRIVED_BODY_FACTOR = 2;
/** Number of queues that are kept while nothing waits. */
const MAX_IDLE_QUEUES = 1_000;

/**
 * Spreads the synchronous processing of requests (parsing, validation, mapping, encoding responses) over turns of the event
 * loop, because it blocks everything else. Phases of work alternate with phases of intake, so that excess requests are rejected
 * immediately instead of waiting unread.
 *
 * What exceeds the work phase waits in a queue per project. The next turn goes to the project that has received the least
 * time (start-time fair queueing; Goyal, Vin and Cheng 1996): a busy project waits for itself, and a project without
 * recent requests starts immediately. A long task yields every few milliseconds, so that others wait for one slice of it. A
 * project whose queue exceeds its share of a second is rejected before its body is read, unless it is alone: then its requests delay no
 * other, how long they take depends on what else the machine does, and the byte budget bounds what waits.
 */
export class FairScheduler {
  readonly #queues = new Map<string, FairQueue>();
  /** Queues with waiting tasks. */
  readonly #waiting = new Set<FairQueue>();
  /** Start of the current work phase. While it is set, an end-of-turn callback is pending. */
  #workStart: number | undefined;
  /** Start of the current intake phase; undefined during a work phase. */
  #intakeStart: number | undefined;
  #intakeTurns = 0;
  #turnsSinceArrival = 0;
  /** Virtual clock: the time that the last project to get a turn had received before it. New queues start here. */
  #clockMs = 0;
  /** The task of the current turn. */
  #current: ScheduledTask | undefined;
  /** Tasks that started without waiting since the last turn, and their expected milliseconds. */
  #immediate: ScheduledTask[] = [];
  #immediateMs = 0;

  /** The project of the latest request, and when another project than that has sent one. */
  #latestProject: string | undefined;
  #sharedAt = -Infinity;

  /** @param now milliseconds of a monotonic clock */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** Number of tasks that wait for their turn. */
  get waitingTasks(): number {
    return [...this.#waiting].reduce((sum, queue) => sum + queue.length, 0);
  }

  /** Records that a request has arrived. */
  requestArrived(): void {
    this.#turnsSinceArrival = 0;
  }

  /** Creates the task of one request. */
  open(projectId: string): ScheduledTask {
    this.#noticeProject(projectId);
    return new ScheduledTask(this, this.#queueOf(projectId));
  }

  /** @throws AppError `OVERLOADED` when the queue of the project exceeds its share */
  assertCapacity(queue: FairQueue): void {
    this.#rejectBeyond(MAX_WAITING_MS, queue);
  }

  /** @see ScheduledTask.begin */
  begin(task: ScheduledTask, queue: FairQueue, bytes: number): Promise<void> | undefined {
    if (this.#workStart === undefined) this.#startWorkPhase();
    this.#catchUp(queue);
    const expectedMs = queue.expectedMs(bytes);
    if (!this.#mayStartNow(queue)) {
      this.#rejectBeyond(MAX_WAITING_MS * ARRIVED_BODY_FACTOR, queue);
      return this.#enqueue(task, queue, { expectedMs, first: false });
    }
    task.startSlice();
    queue.servedMs += queue.chargedMs(bytes);
    this.#immediate.push(task);
    this.#immediateMs += expectedMs;
    return undefined;
  }

  /** @see ScheduledTask.yieldToEventLoop */
  yieldTurn(task: ScheduledTask, queue: FairQueue): Promise<void> {
    if (this.#workStart === undefined) this.#startWorkPhase();
    return this.#enqueue(task, queue, { expectedMs: SLICE_MS, first: true });
  }

  /** @see ScheduledTask.resume */
  resume(task: ScheduledTask, queue: FairQueue): Promise<void> | undefined {
    if (this.#workStart === undefined) this.#startWorkPhase();
    this.#catchUp(queue);
    if (!this.#mayStartNow(queue)) return this.#enqueue(task, queue, { expectedMs: SLICE_MS, first: false });
    task.startSlice();
    return undefined;
  }

  /** @see ScheduledTask.charge */
  charge(queue: FairQueue, ms: number): void {
    this.#catchUp(queue);
    queue.servedMs += ms;
  }

  /** A project that was idle starts at the present time of the virtual clock. */
  #catchUp(queue: FairQueue): void {
    if (queue.length === 0) queue.servedMs = Math.max(queue.servedMs, this.#clockMs);
  }

  /** Requests without a project, such as those of the administrator, do not count. */
  #noticeProject(projectId: string): void {
    if (projectId === '' || projectId === this.#latestProject) return;
    if (this.#latestProject !== undefined) this.#sharedAt = this.now();
    this.#latestProject = projectId;
  }

  #isAlone(): boolean {
    return this.now() - this.#sharedAt > ALONE_MS;
  }

  #queueOf(projectId: string): FairQueue {
    let queue = this.#queues.get(projectId);
    if (queue === undefined) this.#queues.set(projectId, (queue = new FairQueue()));
    return queue;
  }

  #rejectBeyond(maxMs: number, queue: FairQueue): void {
    if (queue.length < MIN_QUEUE_LENGTH || queue.waitingMs * this.#waiting.size <= maxMs) return;
    if (queue.length < MAX_QUEUE_LENGTH_ALONE && this.#isAlone()) return;
    queue.servedMs += REJECTION_MS;
    throw new AppError(
      'OVERLOADED',
      'too many requests of the project are waiting, send the request again later',
    );
  }

  #enqueue(
    task: ScheduledTask,
    queue: FairQueue,
    { expectedMs, first }: { readonly expectedMs: number; readonly first: boolean },
  ): Promise<void> {
    this.#waiting.add(queue);
    return new Promise((resolve) => {
      const start = () => {
        this.#current = task;
        task.startSlice();
        resolve();
      };
      queue.add({ start, expectedMs }, first);
    });
  }

  #mayStartNow(queue: FairQueue): boolean {
    if (this.#waiting.size === 0) return this.#hasTime();
    return queue.length === 0 && queue.servedMs <= this.#clockMs && this.#immediateMs < WORK_PHASE_MS;
  }

  #hasTime(): boolean {
    return this.now() - (this.#workStart ?? 0) < WORK_PHASE_MS;
  }

  #startWorkPhase(): void {
    this.#workStart = this.now();
    this.#scheduleTurn();
  }

  /** Schedules two callbacks of one turn of the loop: what the first one starts has finished or yielded before the second. */
  #scheduleTurn(): void {
    setImmediate(() => this.#turn());
    setImmediate(() => this.#afterTurn());
  }

  #turn(): void {
    for (const task of this.#immediate.splice(0)) task.discardSlice();
    this.#immediateMs = 0;
    if (this.#waiting.size > 0 && (this.#hasTime() || this.#isIntakeOver())) this.#startLeastServed();
  }

  #afterTurn(): void {
    this.#current?.endSlice();
    this.#current = undefined;
    if (this.#waiting.size > 0) this.#scheduleTurn();
    else this.#rest();
  }

  #startLeastServed(): void {
    const queue = [...this.#waiting].reduce((least, other) =>
      other.servedMs < least.servedMs ? other : least,
    );
    this.#clockMs = Math.max(this.#clockMs, queue.servedMs);
    queue.startNext();
    if (queue.length === 0) this.#waiting.delete(queue);
  }

  /** Counts one turn of intake. After the last one the next work phase starts. */
  #isIntakeOver(): boolean {
    const now = this.now();
    this.#intakeStart ??= now;
    this.#intakeTurns++;
    this.#turnsSinceArrival++;
    const isLong = this.#intakeTurns >= MAX_INTAKE_TURNS && now - this.#intakeStart >= MAX_INTAKE_MS;
    if (this.#turnsSinceArrival < QUIET_TURNS && !isLong) return false;
    this.#endIntake();
    this.#workStart = now;
    return true;
  }

  #endIntake(): void {
    this.#intakeStart = undefined;
    this.#intakeTurns = 0;
  }

  /** Nothing waits: moves the clock forward, so that the time received so far no longer matters. */
  #rest(): void {
    this.#workStart = undefined;
    this.#endIntake();
    for (const { servedMs } of this.#queues.values()) this.#clockMs = Math.max(this.#clockMs, servedMs);
    if (this.#queues.size > MAX_IDLE_QUEUES) this.#queues.clear();
  }
}
