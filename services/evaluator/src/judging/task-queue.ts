import type { Evaluation } from '@assay/domain';
import type { EventKey } from '@assay/event-store';
import { mayBegin } from '@assay/runtime';
import type { EvaluationPool } from '../kinds/metric-kind.js';

/** Evaluations of one event that are carried out together. */
export interface Task extends EventKey, EvaluationPool {
  /** At most one task of a key runs at a time; a queued one is replaced by a later one. */
  readonly key: string;
  /** Partition of the log that the event's records are in. */
  readonly partition: number;
  /** `traceparent` of the request that sent the event, when it is traced. */
  readonly trace?: string | undefined;
  readonly evaluations: readonly Evaluation[];
}

/** Tasks of a pool that run at a time. */
export interface PoolLimits {
  readonly total: number;
  readonly perProject: number;
  /** Tasks beyond the total, of projects that run none of the pool. */
  readonly reserve: number;
}

/** What one project may have in the queue. */
export interface ProjectBounds {
  /** Tasks that wait in one pool. */
  readonly tasksOfPool: number;
  /** Tasks that wait in all pools. */
  readonly tasks: number;
  /** Pools at a time: a project can name any number of providers. */
  readonly pools: number;
}

export interface TaskQueueOptions {
  /** Tasks of all projects that wait. */
  readonly maxTasks: number;
  readonly ofProject: ProjectBounds;
  readonly limitsOf: (pool: string) => PoolLimits;
}

interface ProjectTasks {
  readonly id: string;
  readonly waiting: Map<string, Task>;
  running: number;
}

/** What a project has in all pools. */
interface ProjectTotals {
  pools: number;
  waiting: number;
}

interface Pool {
  readonly name: string;
  /** In the order of their next turns. */
  readonly projects: Map<string, ProjectTasks>;
  running: number;
}

/**
 * Tasks that wait for their turn: each pool has its own budget, which its projects share fairly. A project runs at most as many tasks of a pool as
 * are left for others, so that projects whose calls of an endpoint hang leave some to those that come later.
 */
export class TaskQueue {
  readonly #pools = new Map<string, Pool>();
  /** Of each project that has a task. */
  readonly #totals = new Map<string, ProjectTotals>();
  readonly #running = new Set<string>();
  #waiting = 0;

  constructor(private readonly options: TaskQueueOptions) {}

  /** Number of tasks that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of tasks that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Adds a task, or replaces the one of its key. Returns false when the queue is full, or the project has too much in it. */
  add(task: Task): boolean {
    const isReplaced = this.waitingTask(task) !== undefined;
    if (!isReplaced && !this.#hasRoomFor(task)) return false;
    const project = this.#projectOf(task);
    if (!isReplaced) this.#countWaiting(task.projectId, 1);
    project.waiting.set(task.key, task);
    return true;
  }

  /** Returns whether a task of this key waits or runs. */
  has({ key, ...scope }: Pick<Task, 'key' | 'pool' | 'projectId'>): boolean {
    return this.#running.has(key) || this.waitingTask({ key, ...scope }) !== undefined;
  }

  /** Returns the task of this key that waits. */
  waitingTask({ key, pool, projectId }: Pick<Task, 'key' | 'pool' | 'projectId'>): Task | undefined {
    return this.#pools.get(pool)?.projects.get(projectId)?.waiting.get(key);
  }

  /** Removes and returns the next task, which runs from now on; undefined when none may start. */
  next(mayStart: (task: Task) => boolean): Task | undefined {
    for (const pool of this.#pools.values()) {
      const limits = this.options.limitsOf(pool.name);
      if (pool.running >= limits.total + limits.reserve) continue;
      const shares = { ...limits, leavesRoom: true };
      for (const project of pool.projects.values()) {
        if (!mayBegin(shares, { ofProject: project.running, ofAll: pool.running })) continue;
        const task = this.#firstOf(project);
        if (task && mayStart(task)) return this.#start(pool, project, task);
      }
    }
    return undefined;
  }

  /** Ends a task that {@link next} has returned. */
  done(task: Task): void {
    this.#running.delete(task.key);
    const pool = this.#pools.get(task.pool);
    const project = pool?.projects.get(task.projectId);
    if (!pool || !project) return;
    pool.running--;
    project.running--;
    this.#forgetIfIdle(pool, project);
  }

  /** Removes all tasks that wait. */
  clear(): void {
    for (const pool of [...this.#pools.values()])
      for (const project of [...pool.projects.values()]) {
        this.#countWaiting(project.id, -project.waiting.size);
        project.waiting.clear();
        this.#forgetIfIdle(pool, project);
      }
  }

  #firstOf({ waiting }: ProjectTasks): Task | undefined {
    for (const task of waiting.values()) if (!this.#running.has(task.key)) return task;
    return undefined;
  }

  #start(pool: Pool, project: ProjectTasks, task: Task): Task {
    project.waiting.delete(task.key);
    this.#countWaiting(project.id, -1);
    this.#running.add(task.key);
    pool.running++;
    project.running++;
    pool.projects.delete(project.id);
    pool.projects.set(project.id, project);
    return task;
  }

  #hasRoomFor({ pool: name, projectId }: Task): boolean {
    const { maxTasks, ofProject } = this.options;
    const { pools, waiting } = this.#totals.get(projectId) ?? { pools: 0, waiting: 0 };
    if (this.#waiting >= maxTasks || waiting >= ofProject.tasks) return false;
    const inPool = this.#pools.get(name)?.projects.get(projectId);
    return inPool ? inPool.waiting.size < ofProject.tasksOfPool : pools < ofProject.pools;
  }

  #projectOf({ pool: name, projectId: id }: Task): ProjectTasks {
    let pool = this.#pools.get(name);
    if (pool === undefined) this.#pools.set(name, (pool = { name, projects: new Map(), running: 0 }));
    let project = pool.projects.get(id);
    if (project === undefined) {
      pool.projects.set(id, (project = { id, waiting: new Map(), running: 0 }));
      this.#totalsOf(id).pools++;
    }
    return project;
  }

  #totalsOf(id: string): ProjectTotals {
    let totals = this.#totals.get(id);
    if (totals === undefined) this.#totals.set(id, (totals = { pools: 0, waiting: 0 }));
    return totals;
  }

  #countWaiting(projectId: string, tasks: number): void {
    this.#waiting += tasks;
    this.#totalsOf(projectId).waiting += tasks;
  }

  #forgetIfIdle(pool: Pool, { id, waiting, running }: ProjectTasks): void {
    if (running > 0 || waiting.size > 0) return;
    pool.projects.delete(id);
    if (--this.#totalsOf(id).pools === 0) this.#totals.delete(id);
    if (pool.projects.size === 0 && pool.running === 0) this.#pools.delete(pool.name);
  }
}
