import type { ControlPlane } from '@assay/control-plane-client';
import {
  BatchWork,
  filterPath,
  filtersOfText,
  fieldsRead,
  filterMatcher,
  inSteps,
  isReplacementKey,
  redactsNothing,
} from '@assay/domain';
import type { Event, Filter, FilterMatch, FilterMatcher, FilterWork, Redaction, Steps } from '@assay/domain';
import type { RowPart } from '@assay/event-rows';

/** Whether one of a project's queues takes an event, for the events of a batch. */
export interface QueueMatcher {
  /** What the filters read of a row. */
  readonly part: RowPart;
  /**
   * An event that has only the fields of `part` matches as the whole one does. `not_decided`: no queue is known to take it,
   * and the filters of one took too much work.
   */
  readonly matches: (event: Event) => Steps<FilterMatch>;
}

/** Projects of one call. */
const PROJECTS_PER_CALL = 1_000;
/** A key that JSON text contains unchanged. */
const PLAIN_KEY = /^[\w-]+$/;

/**
 * Returns the matchers of the queues that take events now, by project; absent for a project without such a queue. To
 * be called after the events have arrived: a queue takes events that arrive after it was created.
 * @throws AppError `UNAVAILABLE`
 */
export async function queueMatchers(
  { controlPlane, redaction }: QueueMatcherDeps,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, QueueMatcher>> {
  const matchers = new Map<string, QueueMatcher>();
  for (let from = 0; from < projectIds.length; from += PROJECTS_PER_CALL) {
    const ids = projectIds.slice(from, from + PROJECTS_PER_CALL);
    for (const { projectId, queues } of await controlPlane.routingFilters(ids)) {
      const [compiled, work] = [queues.map((filters) => filterMatcher(filters)), new BatchWork()];
      matchers.set(projectId, {
        part: partRead(queues.flat(), redaction),
        matches: (event) => anyMatches(compiled, event, work.forEvent()),
      });
    }
  }
  return matchers;
}

function* anyMatches(matchers: readonly FilterMatcher[], event: Event, work: FilterWork): Steps<FilterMatch> {
  let isDecided = true;
  for (const matches of matchers) {
    const match = yield* inSteps(matches(event, work));
    if (match === 'matching') return match;
    if (match === 'not_decided') isDecided = false;
  }
  return isDecided ? 'not_matching' : 'not_decided';
}

export interface QueueMatcherDeps {
  readonly controlPlane: Pick<ControlPlane, 'routingFilters'>;
  readonly redaction: Redaction;
}

/**
 * Returns what filters read of a row. An object that does not contain the key that a filter names can be skipped,
 * unless redaction may have put that key in the place of another one.
 */
export function partRead(filters: readonly Filter[], redaction: Redaction): RowPart {
  const part = new Map<string, 'whole' | readonly string[]>();
  const redacts = !redactsNothing(redaction);
  for (const { field } of filters.flatMap((filter) => filtersOfText(filter) ?? filter)) {
    const path = filterPath(field);
    const key = field.split('.').at(-1) ?? '';
    const hasKey = path?.isNested && PLAIN_KEY.test(key) && !(redacts && isReplacementKey(key));
    for (const name of path ? fieldsRead(path) : []) {
      const earlier = part.get(name) ?? [];
      part.set(name, hasKey && earlier !== 'whole' ? [...earlier, key] : 'whole');
    }
  }
  return part as RowPart;
}
