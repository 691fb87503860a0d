import type { Evaluation } from '@assay/domain';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import { eventKey } from '@assay/log-readers';
import type { NewWork } from '../shared/work-item.js';
import type { Task } from './task-queue.js';

/** The pool of metrics of type PYTHON, and of evaluations that only have to be closed. */
export const PYTHON_POOL = 'python';
const MODEL_POOL = 'model/';

/** Returns the provider of a pool; undefined for the Python runner. */
export function providerOf(pool: string): string | undefined {
  return pool.startsWith(MODEL_POOL) ? pool.slice(MODEL_POOL.length) : undefined;
}

/**
 * Returns the tasks of an event: one for all its metrics of type PYTHON, whose scores are written together, and one for
 * each judge, whose score is paid for and therefore written as soon as it is known.
 */
export function tasksOf({ evaluations, ...work }: NewWork, metrics: ProjectMetrics): Task[] {
  const { projectId, eventId, partition } = work;
  const tasks = new Map<string, Task & { readonly evaluations: Evaluation[] }>();
  for (const evaluation of evaluations) {
    const pool = poolOf(evaluation, metrics);
    const judge = pool === PYTHON_POOL ? '' : `/${evaluation.metricId}`;
    const key = `${projectId}/${eventId}/${pool}${judge}`;
    const task = tasks.get(key) ?? { key, pool, projectId, eventId, partition, evaluations: [] };
    task.evaluations.push(evaluation);
    tasks.set(key, task);
  }
  return [...tasks.values()];
}

/** Returns the later task with those evaluations of the earlier one that it does not replace. */
export function mergeTasks(earlier: Task | undefined, later: Task): Task {
  if (earlier === undefined) return later;
  const replaced = new Set(later.evaluations.map(({ metricId }) => metricId));
  const kept = earlier.evaluations.filter(({ metricId }) => !replaced.has(metricId));
  return { ...later, evaluations: [...kept, ...later.evaluations] };
}

/** Metrics of type PYTHON share a task, so their evaluations of an event are added together. */
export function groupByEvent(work: readonly NewWork[]): NewWork[] {
  const grouped = new Map<string, NewWork>();
  for (const item of work) {
    const key = eventKey(item);
    const evaluations = [...(grouped.get(key)?.evaluations ?? []), ...item.evaluations];
    grouped.set(key, { ...item, evaluations });
  }
  return [...grouped.values()];
}

function poolOf({ metricId }: Evaluation, metrics: ProjectMetrics): string {
  const metric = metrics.get(metricId)?.metric;
  return metric?.type === 'LLM' ? `${MODEL_POOL}${metric.model_provider ?? ''}` : PYTHON_POOL;
}
