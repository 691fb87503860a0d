import type { ControlPlane, ProjectFilters } from '@assay/control-plane-client';
import { acceptFilters, type Filter } from '@assay/domain';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/**
 * Bound on the filters of one response, as JSON. The queues of a project beyond it are described by an empty list of
 * filters, which every event matches: the control plane then evaluates them itself.
 */
const MAX_LENGTH = 1024 * 1024;
const ANY_EVENT: ProjectFilters['queues'] = [[]];

/** Reads the filters of the queues that take events now. */
export function makeRoutingFilters(deps: QueueDeps): ControlPlane['routingFilters'] {
  return async function routingFilters(projectIds) {
    const found: ProjectFilters[] = [];
    let length = 0;
    for (const projectId of new Set(projectIds)) {
      const queues = await filtersOf(deps, projectId);
      if (queues.length === 0) continue;
      const added = JSON.stringify(queues).length;
      const fits = length + added <= MAX_LENGTH;
      if (fits) length += added;
      found.push({ projectId, queues: fits ? queues : ANY_EVENT });
    }
    return found;
  };
}

async function filtersOf(deps: QueueDeps, projectId: string): Promise<readonly (readonly Filter[])[]> {
  const enabled = await new QueueRepository(deps, projectId).routingQueues();
  return enabled
    .map(({ filters }) => acceptFilters(filters.filterArray, 'lenient'))
    .filter((filters) => filters.length > 0);
}
