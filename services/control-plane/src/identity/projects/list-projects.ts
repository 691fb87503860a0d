import type { ProjectResponse } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { RequestActor } from '../../shared/operation-context.js';
import { toProjectResponse, type Project, type ProjectCollection } from './project-document.js';

const PAGE = 1_000;
const MAX_PAGES = 100;

/**
 * Lists projects. A project key gets its own project, whatever the requested name: clients look up their
 * configured name and need the id of the project that they write to. The administrator gets the project of
 * this name, or all sorted by name.
 */
export function makeListProjects(deps: { projects: ProjectCollection }) {
  return async function listProjects(
    { query }: { query: { name?: string } },
    { caller }: RequestActor,
  ): Promise<ProjectResponse[] | JsonStream<ProjectResponse[]>> {
    if (!isAdministrator(caller)) return toResponses(await deps.projects.get(caller.projectId));
    if (query.name !== undefined)
      return toResponses(await deps.projects.findUnique({ name: query.name.trim() }));
    return streamJson<ProjectResponse[]>(mapPages(allProjects(deps.projects), toProjectResponse));
  };
}

function toResponses(project: Project | undefined): ProjectResponse[] {
  return project ? [toProjectResponse(project)] : [];
}

async function* allProjects(projects: ProjectCollection): AsyncGenerator<readonly Project[]> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await projects.list({ equals: {}, orderBy: 'name', offset: page * PAGE, limit: PAGE });
    yield found;
    if (found.length < PAGE) break;
  }
}
