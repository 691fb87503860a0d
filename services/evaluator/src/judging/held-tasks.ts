import { awaitsQuiet, type Evaluation } from '@assay/domain';
import type { Task } from './task-queue.js';
import { mergeTasks } from './tasks-of-work.js';

export interface HeldTasksOptions {
  /** Tasks of all projects, and of one. */
  readonly maxTasks: number;
  readonly maxPerProject: number;
  /** How long after the last change of a session its tasks are held, in milliseconds. */
  readonly holdMs: number;
}

/** Tasks that are held until their sessions are quiet. What does not fit is in the store. */
export class HeldTasks {
  readonly #tasks = new Map<string, Task>();
  readonly #perProject = new Map<string, number>();
  /** Whether tasks are only in the store, and whether there has been room for some since that was known. */
  #hasMissed = false;
  #hasRoom = false;

  constructor(private readonly options: HeldTasksOptions) {}

  get size(): number {
    return this.#tasks.size;
  }

  /** Holds a task; evaluations of one of the same key are replaced by later ones. */
  add(task: Task): void {
    const held = this.#tasks.get(task.key);
    if (!held && !this.#hasRoomFor(task)) {
      this.noteMissed();
      return;
    }
    this.#tasks.set(task.key, mergeTasks(held, task));
    if (!held) this.#count(task.projectId, 1);
  }

  /** Returns whether an evaluation by the metric is held under the key. */
  has(key: string, metricId: string): boolean {
    return this.#tasks.get(key)?.evaluations.some((one) => one.metricId === metricId) ?? false;
  }

  /** Removes the evaluations of a task: what is decided now waits no more. */
  remove({ key, evaluations }: Task): void {
    const held = this.#tasks.get(key);
    if (!held) return;
    const decided = new Set(evaluations.map(({ metricId }) => metricId));
    const left = held.evaluations.filter(({ metricId }) => !decided.has(metricId));
    if (left.length > 0) this.#tasks.set(key, { ...held, evaluations: left });
    else this.#take(held);
  }

  hasDue(now: number): boolean {
    for (const task of this.#tasks.values()) if (this.#isDue(task, now)) return true;
    return false;
  }

  /** Removes and returns the tasks of the sessions that are quiet. */
  takeDue(now: number): Task[] {
    const due = [...this.#tasks.values()].filter((task) => this.#isDue(task, now));
    for (const task of due) this.#take(task);
    return due;
  }

  /** Notes that tasks are only in the store. */
  noteMissed(): void {
    this.#hasMissed = true;
    this.#hasRoom = false;
  }

  /** Returns, once, whether tasks are only in the store and there has been room since, so that it is worth reading them. */
  takeMissed(): boolean {
    if (!this.#hasMissed || !this.#hasRoom) return false;
    this.#hasMissed = false;
    return true;
  }

  clear(): void {
    this.#tasks.clear();
    this.#perProject.clear();
    this.#hasMissed = false;
  }

  #isDue({ evaluations }: Task, now: number): boolean {
    const changedAt = evaluations.reduce((newest, { decidedAt }) => Math.max(newest, decidedAt), 0);
    return now - changedAt >= this.options.holdMs;
  }

  #hasRoomFor({ projectId }: Task): boolean {
    const { maxTasks, maxPerProject } = this.options;
    return this.#tasks.size < maxTasks && (this.#perProject.get(projectId) ?? 0) < maxPerProject;
  }

  #take({ key, projectId }: Task): void {
    this.#hasRoom = true;
    this.#tasks.delete(key);
    this.#count(projectId, -1);
  }

  #count(projectId: string, tasks: number): void {
    const left = (this.#perProject.get(projectId) ?? 0) + tasks;
    if (left > 0) this.#perProject.set(projectId, left);
    else this.#perProject.delete(projectId);
  }
}

/** Separates the evaluations that wait until a session is quiet from the others. */
export function separateHeld(evaluations: readonly Evaluation[]): {
  readonly held: readonly Evaluation[];
  readonly ready: readonly Evaluation[];
} {
  return {
    held: evaluations.filter(awaitsQuiet),
    ready: evaluations.filter((evaluation) => !awaitsQuiet(evaluation)),
  };
}
