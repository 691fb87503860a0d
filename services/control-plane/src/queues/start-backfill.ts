import type { ControlPlane } from '@assay/control-plane-client';
import { acceptFilters } from '@assay/domain';
import { leasedBy, toBackfillJob, type JobDeps } from '../jobs/job-document.js';
import { startJob } from '../jobs/start-job.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import { QueueRepository, type QueueDeps } from './queue-repository.js';

/** Creates a job that adds stored events to a queue, with the filters that the queue has now. */
export function makeStartBackfill(deps: QueueDeps & JobDeps): ControlPlane['startBackfill'] {
  return async function startBackfill({ projectId, queueId, from, to, owner }) {
    const queue = await undefinedIfNotFound(() => new QueueRepository(deps, projectId).getExisting(queueId));
    if (!queue) return { outcome: 'no_queue', job: null };
    const filters = acceptFilters(queue.filters.filterArray, 'stored');
    if (filters.length === 0) return { outcome: 'no_filters', job: null };
    const now = deps.now();
    const job = await startJob(new ProjectScopedCollection(deps.jobs, projectId), {
      ...{ metric_id: null, metric_name: null, queue_id: queueId, filters, from, to, now },
      ...leasedBy(owner, now),
    });
    if (!job) return { outcome: 'too_many', job: null };
    return { outcome: 'started', job: toBackfillJob(job) ?? null };
  };
}
