import type { ControlPlane } from '@assay/control-plane-client';
import { eventPath, filterMatcher, type Event } from '@assay/domain';

/** Whether one of a project's queues takes an event. */
export interface QueueMatcher {
  /** Names of the fields that the filters read. */
  readonly objects: ReadonlySet<string>;
  readonly matches: (event: Event) => boolean;
}

/** Projects of one call. */
const PROJECTS_PER_CALL = 1_000;

/**
 * Returns the matchers of the queues that take events now, by project; absent for a project without such a queue. To
 * be called after the events have arrived: a queue takes events that arrive after it was created.
 * @throws AppError `UNAVAILABLE`
 */
export async function queueMatchers(
  controlPlane: Pick<ControlPlane, 'routingFilters'>,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, QueueMatcher>> {
  const matchers = new Map<string, QueueMatcher>();
  for (let from = 0; from < projectIds.length; from += PROJECTS_PER_CALL) {
    const ids = projectIds.slice(from, from + PROJECTS_PER_CALL);
    for (const { projectId, queues } of await controlPlane.routingFilters(ids)) {
      const compiled = queues.map((filters) => filterMatcher(filters));
      const roots = queues.flat().flatMap(({ field }) => eventPath(field)?.root ?? []);
      matchers.set(projectId, {
        objects: new Set(roots),
        matches: (event) => compiled.some((matches) => matches(event)),
      });
    }
  }
  return matchers;
}
