import { cutoffsOf, earliestCutoff } from '@assay/domain';
import type { Project, ProjectCollection } from '../identity/projects/project-document.js';
import type { SessionCollection, SessionDocument } from '../sessions/session-document.js';
import { chunks } from '../shared/chunks.js';
import { retentionOf, type RetentionDeps } from './list-retentions.js';
import { makeReferencedEvents, type ReferencedDeps } from './referenced-events.js';

export interface ExpiredSessionsDeps extends RetentionDeps, ReferencedDeps {
  readonly projects: ProjectCollection;
  readonly sessions: SessionCollection;
}

const PROJECTS_PER_PAGE = 500;
const PAGE = 500;
const MAX_EVENTS = 1_000;
/** Pages of one project in a round, so that one with many does not delay the others; the next round continues. */
const MAX_PAGES = 20;

/** Summaries of a project that are expired: those that are listed, or not, and started before this time. */
interface Expired {
  readonly isListed: boolean;
  readonly to: number;
}

/**
 * Removes the summaries of sessions whose own event is expired, and of those without one once events of every type would be. Data
 * planes do not do it: a summary that a crash of theirs has left would stay.
 */
export function makeRemoveExpiredSessions(deps: ExpiredSessionsDeps) {
  const referencedEvents = makeReferencedEvents(deps);

  /** Removes those of the page that are not kept. Returns the number of the others. */
  async function removePage(project: Project, page: readonly SessionDocument[]): Promise<number> {
    const idOf = ({ id }: SessionDocument) => id.slice(project.id.length + 1);
    const events = page.flatMap((session) =>
      ['', ...(session.run_ids ?? [])].map((runId) => ({ ...idsOf(idOf(session)), runId })),
    );
    const kept = new Set<string>();
    if (project.keep_referenced === true)
      for (const part of chunks(events, MAX_EVENTS))
        for (const id of await referencedEvents({ projectId: project.id, expired: part })) kept.add(id);
    const removed = page.filter((session) => !kept.has(idOf(session)));
    await deps.sessions.deleteAll(removed.map(({ id }) => id));
    return page.length - removed.length;
  }

  async function removeOf(project: Project, { isListed, to }: Expired): Promise<void> {
    const equals = { project_id: project.id, is_listed: isListed };
    const query = { equals, orderBy: 'start_time', where: [{ field: 'start_time', to }], limit: PAGE };
    for (let pages = 0, kept = 0; pages < MAX_PAGES; pages++) {
      const page = await deps.sessions.list({ ...query, offset: kept });
      kept += await removePage(project, page);
      if (page.length < PAGE) return;
    }
  }

  return async function removeExpiredSessions(isStopping: () => boolean): Promise<void> {
    for (let offset = 0; ; offset += PROJECTS_PER_PAGE) {
      const projects = await deps.projects.list({ equals: {}, offset, limit: PROJECTS_PER_PAGE });
      for (const project of projects) {
        if (isStopping()) return;
        for (const expired of expiredOf(project, deps)) await removeOf(project, expired);
      }
      if (projects.length < PROJECTS_PER_PAGE) return;
    }
  };
}

function idsOf(sessionId: string) {
  return { eventId: sessionId, sessionId };
}

function expiredOf(project: Project, deps: RetentionDeps): Expired[] {
  const retention = retentionOf(project, deps);
  if (retention === undefined) return [];
  const cutoffs = cutoffsOf(retention, deps.now().getTime());
  const all = earliestCutoff(cutoffs);
  return [
    // A bound is inclusive, and an event is expired when it is older.
    ...(cutoffs.session === undefined ? [] : [{ isListed: true, to: cutoffs.session - 1 }]),
    ...(all === undefined ? [] : [{ isListed: false, to: all - 1 }]),
  ];
}
