import { acceptFilters, filterMatcher } from '@assay/domain';
import type { ForwardedUpsert } from '../events/indexed-event.js';
import type { Queue } from './queue-document.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/**
 * Takes events to the enabled queues whose filters they all match. An event comes to a queue once, however often it is told. Only what arrived
 * since the queue was created, enabled or given its filters counts, also when it is told later because the control plane was away.
 */
export function makeRouteToQueues(deps: QueueDeps) {
  return async function routeToQueues(told: readonly ForwardedUpsert[]): Promise<void> {
    for (const [projectId, events] of byProject(told)) {
      const queues = new QueueRepository(deps, projectId);
      const enabled = await queues.collection.all({
        equals: { is_active: true, enabled: true },
        orderBy: 'created_at',
      });
      for (const queue of enabled) {
        const matching = eventsFor(queue, events);
        if (matching.length > 0) await queues.entries.add(queue.id, matching);
      }
    }
  };
}

function eventsFor({ filters, routes_from }: Queue, events: readonly ForwardedUpsert[]): string[] {
  const accepted = acceptFilters(filters.filterArray, 'lenient');
  if (accepted.length === 0) return [];
  const matches = filterMatcher(accepted);
  const from = Date.parse(routes_from);
  return events
    .filter(({ arrivedAt, event }) => arrivedAt >= from && matches(event))
    .map(({ event }) => event.event_id);
}

function byProject(told: readonly ForwardedUpsert[]): Map<string, ForwardedUpsert[]> {
  const projects = new Map<string, ForwardedUpsert[]>();
  for (const one of told) {
    const events = projects.get(one.event.project_id);
    if (events) events.push(one);
    else projects.set(one.event.project_id, [one]);
  }
  return projects;
}
