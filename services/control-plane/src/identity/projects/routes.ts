import { createProject, deleteProject, listProjects, updateProject } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { IssueKey } from '../keys/issue-key.js';
import { makeCreateProject } from './create-project.js';
import { type DeleteProjectDeps, makeDeleteProject } from './delete-project.js';
import { makeListProjects } from './list-projects.js';
import { makeUpdateProject } from './update-project.js';

export interface ProjectDeps extends DeleteProjectDeps {
  readonly issueKey: IssueKey;
}

export function projectRoutes(deps: ProjectDeps): Binding[] {
  return [
    bind(listProjects, makeListProjects(deps)),
    bind(createProject, makeCreateProject(deps)),
    bind(updateProject, makeUpdateProject(deps)),
    bind(deleteProject, makeDeleteProject(deps)),
  ];
}
