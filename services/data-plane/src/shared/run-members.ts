import { canonicalUuid, isUuid } from '@assay/domain';
import type { RunMembers } from '@assay/event-store';
import type { DataPlaneDeps } from './data-plane-deps.js';

type MemberDeps = Pick<DataPlaneDeps, 'controlPlane'>;

/** Runs whose listed sessions are read at a time. */
const RUNS_PER_PAGE = 100;
/** Each page has at most 5,000 sessions, so that all of them are as many as the event store looks at. */
const MAX_PAGES = 4;

/**
 * Returns what decides which events belong to a run. A run that does not exist, or not yet, has the events that name it.
 * @throws AppError `UNAVAILABLE` when the control plane does not say which sessions the run lists
 */
export async function membersOfRun(
  { controlPlane }: MemberDeps,
  projectId: string,
  sentId: string,
): Promise<RunMembers> {
  if (!isUuid(sentId)) return { runId: sentId, sessionIds: [] };
  const runId = canonicalUuid(sentId);
  const { runs } = await controlPlane.runs({ projectId, runIds: [runId], withoutRules: true });
  return { runId, sessionIds: runs.flatMap((run) => run.event_ids) };
}

/** As {@link membersOfRun}, of a run that a request may name: undefined when it names none. */
export async function membersOfNamedRun(
  deps: MemberDeps,
  projectId: string,
  sentId: string | null | undefined,
): Promise<RunMembers | undefined> {
  return sentId === undefined || sentId === null ? undefined : membersOfRun(deps, projectId, sentId);
}

/** Returns what decides which events belong to any run, of those that list sessions to the newest 400. */
export async function membersOfRuns({ controlPlane }: MemberDeps, projectId: string): Promise<RunMembers> {
  const sessionIds: string[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { links, pagination } = await controlPlane.runLinks({ projectId, page, limit: RUNS_PER_PAGE });
    sessionIds.push(...links.flatMap((run) => run.sessionIds));
    if (!pagination.has_next) break;
  }
  return { sessionIds };
}
