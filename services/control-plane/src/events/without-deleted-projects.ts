import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import type { ProjectDeletionCollection } from '../identity/projects/project-deletion.js';

type Written = Pick<
  ControlPlane,
  'forwardEvents' | 'addToQueue' | 'startBackfill' | 'markQueueEvent' | 'leaseQueueEvent' | 'createDatapoints'
>;

/**
 * Wraps writes of data planes: those for deleted projects have no effect, so that late events do not recreate
 * their data.
 */
export function withoutDeletedProjects(controlPlane: Written, deletions: ProjectDeletionCollection): Written {
  const isDeleted = async (projectId: string) => (await deletions.get(projectId)) !== undefined;
  return {
    forwardEvents: async (batch) => {
      const deleted = new Set<string>();
      for (const projectId of new Set(batch.map(projectOf)))
        if (await isDeleted(projectId)) deleted.add(projectId);
      await controlPlane.forwardEvents(
        deleted.size === 0 ? batch : batch.filter((entry) => !deleted.has(projectOf(entry))),
      );
    },
    addToQueue: async (queue, eventIds) =>
      !(await isDeleted(queue.projectId)) && controlPlane.addToQueue(queue, eventIds),
    startBackfill: async (backfill) =>
      (await isDeleted(backfill.projectId))
        ? { outcome: 'no_queue', job: null }
        : controlPlane.startBackfill(backfill),
    markQueueEvent: async (change) =>
      (await isDeleted(change.projectId)) ? undefined : controlPlane.markQueueEvent(change),
    leaseQueueEvent: async (lease) =>
      (await isDeleted(lease.projectId))
        ? { outcome: 'no_queue', entry: null, counts: null }
        : controlPlane.leaseQueueEvent(lease),
    createDatapoints: async (target, datapoints) =>
      !(await isDeleted(target.projectId)) && controlPlane.createDatapoints(target, datapoints),
  };
}

function projectOf(entry: ForwardedEvent): string {
  return entry.kind === 'event' ? entry.event.project_id : entry.projectId;
}
