import { LRUCache } from 'lru-cache';
import type { Task } from './task-queue.js';

/** Delays of evaluations by how their last call ended: each is twice the one before. */
const FIRST_DELAY_MS = { soon: 1_000, rarely: 10_000 } as const;
const MAX_DELAY_MS = { soon: 60_000, rarely: Number.POSITIVE_INFINITY } as const;
/** LRU capacity: tasks whose delay is known. */
const MAX_KNOWN = 20_000;

/**
 * When a postponed evaluation is carried out again: `soon` if its call has cost nothing. One that may have reached the model without
 * a response may be charged each time, so it is repeated `rarely`: the delays have no limit but the age of the evaluation.
 */
export type Repetition = keyof typeof FIRST_DELAY_MS;

export interface PostponedOptions {
  /** Tasks of all projects, and of one. */
  readonly maxTasks: number;
  readonly maxPerProject: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface Postponed {
  readonly task: Task;
  /** Unix milliseconds. */
  readonly notBefore: number;
}

/** Tasks that wait for a while before they return to the queue. */
export class PostponedTasks {
  readonly #tasks = new Map<string, Postponed>();
  readonly #perProject = new Map<string, number>();
  readonly #delays = new LRUCache<string, number>({ max: MAX_KNOWN });

  constructor(private readonly options: PostponedOptions) {}

  get size(): number {
    return this.#tasks.size;
  }

  has(key: string): boolean {
    return this.#tasks.has(key);
  }

  /** Adds a task, or replaces the one of its key. Returns false when there are too many. */
  add(task: Task, repetition: Repetition): boolean {
    const { maxTasks, maxPerProject, now } = this.options;
    this.take(task.key);
    const count = this.#perProject.get(task.projectId) ?? 0;
    if (this.#tasks.size >= maxTasks || count >= maxPerProject) return false;
    const last = this.#delays.get(task.key);
    const delayMs = Math.max(FIRST_DELAY_MS[repetition], Math.min((last ?? 0) * 2, MAX_DELAY_MS[repetition]));
    this.#delays.set(task.key, delayMs);
    this.#tasks.set(task.key, { task, notBefore: now() + delayMs });
    this.#perProject.set(task.projectId, count + 1);
    return true;
  }

  /** Removes and returns the task of this key. */
  take(key: string): Task | undefined {
    const task = this.#tasks.get(key)?.task;
    if (task === undefined) return undefined;
    this.#tasks.delete(key);
    const left = (this.#perProject.get(task.projectId) ?? 1) - 1;
    if (left > 0) this.#perProject.set(task.projectId, left);
    else this.#perProject.delete(task.projectId);
    return task;
  }

  /** Removes and returns the tasks that are due: those whose delay has passed, if they may start, and those that `isLate`. */
  takeDue(mayStart: (task: Task) => boolean, isLate: (task: Task) => boolean): Task[] {
    const now = this.options.now();
    const due = [...this.#tasks.values()].filter(
      ({ task, notBefore }) => (now >= notBefore && mayStart(task)) || isLate(task),
    );
    return this.#takeAll(due);
  }

  /** Removes and returns the tasks of a project that wait for a provider. */
  takeWaitingFor({ projectId, provider }: Pick<Task, 'projectId' | 'provider'>): Task[] {
    return this.#takeAll(
      [...this.#tasks.values()].filter(
        ({ task }) => task.projectId === projectId && task.provider === provider,
      ),
    );
  }

  clear(): void {
    this.#tasks.clear();
    this.#perProject.clear();
  }

  #takeAll(postponed: readonly Postponed[]): Task[] {
    return postponed.flatMap(({ task }) => this.take(task.key) ?? []);
  }
}
