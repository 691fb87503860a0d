import type { ExpiredEvents } from '@assay/control-plane-client';
import { canonicalUuid } from '@assay/domain';
import { linkedDatasets } from '../datasets/linked-datasets.js';
import { DatasetRepository, type DatapointDeps } from '../datasets/dataset-repository.js';
import type { RunCollection } from '../runs/run-document.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';

export interface ReferencedDeps extends DatapointDeps {
  readonly runs: RunCollection;
}

const PAGE = 1_000;

/**
 * Returns the ids of those of at most 1,000 events that belong to an existing run, or that a datapoint of a dataset was made from. The
 * id of the run is in the event or in that of its session, or the run lists the session.
 */
export function makeReferencedEvents(deps: ReferencedDeps) {
  return async function referencedEvents({ projectId, expired: events }: ExpiredEvents): Promise<string[]> {
    const runs = await existingRuns(deps, projectId, [...new Set(events.map(({ runId }) => runId))]);
    const rest = events.filter(({ runId }) => !runs.has(runId));
    const sessions = await listedSessions(deps, projectId, new Set(rest.map(({ sessionId }) => sessionId)));
    const others = rest.filter(({ sessionId }) => !sessions.has(sessionId)).map(({ eventId }) => eventId);
    const linked = await linkedEvents(deps, projectId, others);
    return events
      .filter(
        ({ eventId, sessionId, runId }) => runs.has(runId) || sessions.has(sessionId) || linked.has(eventId),
      )
      .map(({ eventId }) => eventId);
  };
}

/** Returns those of the texts that are ids of runs. */
async function existingRuns(
  { runs }: ReferencedDeps,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = ids.filter((id) => id !== '');
  const found = await new ProjectScopedCollection(runs, projectId).getAll(named.map(canonicalUuid));
  const existing = new Set(found.map(({ run_id }) => run_id));
  return new Set(named.filter((id) => existing.has(canonicalUuid(id))));
}

/** Returns those of the sessions that a run lists. Runs are read page by page: one lists up to thousands of sessions. */
async function listedSessions(
  { runs }: ReferencedDeps,
  projectId: string,
  sessionIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const listed = new Set<string>();
  if (sessionIds.size === 0) return listed;
  const all = new ProjectScopedCollection(runs, projectId).allPages({ orderBy: 'created_at' });
  for await (const page of all)
    for (const id of page.flatMap(({ event_ids }) => event_ids.map(canonicalUuid)))
      if (sessionIds.has(id)) listed.add(id);
  return listed;
}

/** Returns those of the events that a datapoint of a dataset was made from. */
async function linkedEvents(
  deps: ReferencedDeps,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const linked = new Set<string>();
  if (eventIds.length === 0) return linked;
  const datapoints = new ProjectScopedCollection(deps.datapoints, projectId);
  const datasets = new DatasetRepository(deps, projectId);
  const where = [{ field: 'linked_event', in: [...eventIds] }];
  for (let offset = 0; ; offset += PAGE) {
    const page = await datapoints.page({ orderBy: 'linked_event', where, offset }, PAGE);
    const datasetsOf = await linkedDatasets(
      datasets,
      page.map(({ id }) => id),
    );
    for (const { id, linked_event } of page)
      if (linked_event !== null && datasetsOf(id).length > 0) linked.add(linked_event);
    if (page.length < PAGE) return linked;
  }
}
