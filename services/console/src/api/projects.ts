import type { createProject, listProjects, ProjectResponse, ResponseOf } from '@assay/contracts';
import { callAsAdministrator } from './administration.js';
import { call } from './call.js';

export type Project = ProjectResponse;

/** Returns the project of the key. */
export const ownProject = async (project: string, signal?: AbortSignal) =>
  (await call<ResponseOf<typeof listProjects>>({ method: 'GET', path: '/v1/projects', project, signal }))[0];

export const allProjects = (signal?: AbortSignal) =>
  callAsAdministrator<ResponseOf<typeof listProjects>>({ method: 'GET', path: '/v1/projects', signal });

/** Creates a project. The response is the only one with the text of its first key. */
export const addProject = (name: string) =>
  callAsAdministrator<ResponseOf<typeof createProject>>({
    ...{ method: 'POST', path: '/v1/projects', body: { name } },
  });
