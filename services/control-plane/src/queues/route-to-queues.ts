import { acceptFilters, BatchWork, filterMatcher, inSteps, type FilterWork, type Steps } from '@assay/domain';
import { createYieldToEventLoop, runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import type { ForwardedUpsert } from '../events/deleted-event.js';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import type { Queue } from './queue-document.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

export interface RouteToQueuesDeps extends QueueDeps {
  /** Called with the number of events of which it was not decided whether a queue takes them. */
  readonly onNotDecided?: (projectId: string, queueId: string, events: number) => void;
}

/** An event, and the work that the filters of its project may do for it. */
interface RoutedEvent extends ForwardedUpsert {
  readonly work: FilterWork;
}

/**
 * Adds events to the enabled queues whose filters they match. An event is added once, however often it is
 * forwarded. Only events that arrived after the queue was created, enabled or got its filters are added,
 * whenever they are forwarded. Events whose filters take too much work are counted for the queue.
 */
export function makeRouteToQueues(deps: RouteToQueuesDeps) {
  return async function routeToQueues(forwarded: readonly ForwardedUpsert[]): Promise<void> {
    const yieldToEventLoop = createYieldToEventLoop();
    for (const [projectId, events] of byProject(forwarded)) {
      const queues = new QueueRepository(deps, projectId);
      for await (const queue of queues.routingQueues()) {
        const undecided = await addMatching(queues, { queue, events, yieldToEventLoop });
        if (undecided > 0) deps.onNotDecided?.(projectId, queue.id, undecided);
      }
    }
  };
}

interface Routing {
  readonly queue: Queue;
  readonly events: readonly RoutedEvent[];
  readonly yieldToEventLoop: YieldToEventLoop;
}

/** Returns the number of events of which it was not decided whether they match. */
async function addMatching(
  queues: QueueRepository,
  { queue, events, yieldToEventLoop }: Routing,
): Promise<number> {
  const { matching, undecided } = await runCooperatively(eventsFor(queue, events), yieldToEventLoop);
  if (matching.length > 0) await queues.entries.add(queue.id, matching);
  if (undecided > 0)
    await undefinedIfNotFound(() =>
      queues.update(queue.id, (found) => ({ ...found, not_decided: (found.not_decided ?? 0) + undecided })),
    );
  return undecided;
}

function* eventsFor(
  { filters, routes_from }: Queue,
  events: readonly RoutedEvent[],
): Steps<{ readonly matching: readonly string[]; readonly undecided: number }> {
  const accepted = acceptFilters(filters.filterArray, 'stored');
  const matching: string[] = [];
  let undecided = 0;
  yield;
  if (accepted.length === 0) return { matching, undecided };
  const matches = filterMatcher(accepted);
  const from = Date.parse(routes_from);
  for (const { arrivedAt, event, work } of events) {
    if (arrivedAt < from) continue;
    const match = yield* inSteps(matches(event, work));
    if (match === 'matching') matching.push(event.event_id);
    if (match === 'not_decided') undecided++;
  }
  return { matching, undecided };
}

function byProject(forwarded: readonly ForwardedUpsert[]): Map<string, RoutedEvent[]> {
  const projects = new Map<string, { readonly work: BatchWork; readonly events: RoutedEvent[] }>();
  for (const entry of forwarded) {
    const id = entry.event.project_id;
    const project = projects.get(id) ?? { work: new BatchWork(), events: [] };
    projects.set(id, project);
    project.events.push({ ...entry, work: project.work.forEvent() });
  }
  return new Map([...projects].map(([id, { events }]) => [id, events]));
}
