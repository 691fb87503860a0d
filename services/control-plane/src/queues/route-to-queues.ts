import { setImmediate } from 'node:timers/promises';
import { acceptFilters, filterMatcher } from '@assay/domain';
import type { ForwardedUpsert } from '../events/deleted-event.js';
import type { Queue } from './queue-document.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/**
 * Adds events to the enabled queues whose filters they match. An event is added once, however often it is
 * forwarded. Only events that arrived after the queue was created, enabled or got its filters are added,
 * whenever they are forwarded.
 */
export function makeRouteToQueues(deps: QueueDeps) {
  return async function routeToQueues(forwarded: readonly ForwardedUpsert[]): Promise<void> {
    for (const [projectId, events] of byProject(forwarded)) {
      const queues = new QueueRepository(deps, projectId);
      for await (const queue of queues.routingQueues()) await addMatching(queues, queue, events);
    }
  };
}

async function addMatching(
  { entries }: QueueRepository,
  queue: Queue,
  events: readonly ForwardedUpsert[],
): Promise<void> {
  const matching = eventsFor(queue, events);
  if (matching.length > 0) await entries.add(queue.id, matching);
  // Matching is synchronous, and a project may have thousands of queues.
  await setImmediate();
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

function byProject(forwarded: readonly ForwardedUpsert[]): Map<string, ForwardedUpsert[]> {
  const projects = new Map<string, ForwardedUpsert[]>();
  for (const entry of forwarded) {
    const events = projects.get(entry.event.project_id);
    if (events) events.push(entry);
    else projects.set(entry.event.project_id, [entry]);
  }
  return projects;
}
