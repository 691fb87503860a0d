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
    let left = MAX_LENGTH;
    for (const projectId of new Set(projectIds)) {
      const { queues, length } = await filtersOf(deps, projectId, left);
      left -= length;
      if (queues.length > 0) found.push({ projectId, queues });
    }
    return found;
  };
}

/** Reads the filters of a project's queues, until they are longer than `maxLength`. */
async function filtersOf(
  deps: QueueDeps,
  projectId: string,
  maxLength: number,
): Promise<{ readonly queues: ProjectFilters['queues']; readonly length: number }> {
  const queues: (readonly Filter[])[] = [];
  let length = 0;
  for await (const { filters } of new QueueRepository(deps, projectId).routingQueues()) {
    const accepted = acceptFilters(filters.filterArray, 'stored');
    if (accepted.length === 0) continue;
    length += JSON.stringify(accepted).length;
    if (length > maxLength) return { queues: ANY_EVENT, length: 0 };
    queues.push(accepted);
  }
  return { queues, length };
}
