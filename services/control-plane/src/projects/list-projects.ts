import type { AnsweredProject } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import type { Asker } from '../access/asker.js';
import { answeredProject, type Project, type ProjectRecords } from './project-records.js';

const PAGE = 1_000;
const MAX_PAGES = 100;

/**
 * For a project key: the key's own project, whatever name is asked for, because clients look up the name that they were configured
 * with and need the id of the project that they write to. For the administrator: the project of this name, or all by name.
 */
export function makeListProjects(deps: { projects: ProjectRecords }) {
  return async function listProjects(
    { query }: { query: { name?: string } },
    { caller }: Asker,
  ): Promise<AnsweredProject[]> {
    if (!isAdministrator(caller)) return answered(await deps.projects.get(caller.projectId));
    if (query.name !== undefined)
      return answered(await deps.projects.findUnique({ name: query.name.trim() }));
    return (await allProjects(deps.projects)).map(answeredProject);
  };
}

function answered(project: Project | undefined): AnsweredProject[] {
  return project ? [answeredProject(project)] : [];
}

async function allProjects(projects: ProjectRecords): Promise<Project[]> {
  const all: Project[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await projects.list({ equals: {}, orderBy: 'name', offset: page * PAGE, limit: PAGE });
    all.push(...found);
    if (found.length < PAGE) break;
  }
  return all;
}
