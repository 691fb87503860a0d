import type { Evaluation } from '@assay/domain';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import type { Judge } from '@assay/judges';
import { eventKey } from '@assay/log-readers';
import { kindOf } from '../kinds/kinds.js';
import { PYTHON_POOL } from '../kinds/python.js';
import type { NewWork } from '../shared/work-item.js';
import type { Task } from './task-queue.js';

/**
 * Returns the tasks of an event: one for all its metrics that call no model, whose scores are written together, and one for
 * each judge, whose score is paid for and therefore written as soon as it is known.
 */
export function tasksOf(
  { evaluations, ...work }: NewWork,
  metrics: ProjectMetrics,
  judge: Pick<Judge, 'endpointOwner'>,
): Task[] {
  const { projectId, eventId, partition, trace } = work;
  const tasks = new Map<string, Task & { readonly evaluations: Evaluation[] }>();
  for (const evaluation of evaluations) {
    const metric = metrics.get(evaluation.metricId)?.metric;
    const pool = metric ? kindOf(metric).pool(metric, projectId, judge) : { pool: PYTHON_POOL };
    const own = pool.provider === undefined ? '' : `/${evaluation.metricId}`;
    const key = `${projectId}/${eventId}/${pool.pool}${own}`;
    const task = tasks.get(key) ?? { key, ...pool, projectId, eventId, partition, trace, evaluations: [] };
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

/** Metrics that call no model share a task, so their evaluations of an event are added together. */
export function groupByEvent(work: readonly NewWork[]): NewWork[] {
  const grouped = new Map<string, NewWork>();
  for (const item of work) {
    const key = eventKey(item);
    const evaluations = [...(grouped.get(key)?.evaluations ?? []), ...item.evaluations];
    grouped.set(key, { ...item, evaluations });
  }
  return [...grouped.values()];
}
