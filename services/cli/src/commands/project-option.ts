import type { ProjectResponse } from '@assay/contracts';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';

export const PROJECT = [
  '--project <id>',
  'id of the project; not needed where there is one project',
] as const;

export interface ProjectOption {
  readonly project?: string;
}

/** Returns the id of the project that the options name, or of the only one. @throws CliError when there are several or none */
export async function projectOf(api: Api, { project }: ProjectOption): Promise<string> {
  if (project !== undefined) return project;
  const found = await api.call<ProjectResponse[]>({ path: '/v1/projects', as: 'administrator' });
  const [only] = found;
  if (only === undefined) throw new CliError('there is no project, create one with `assay projects create`');
  if (found.length > 1)
    throw new CliError(
      `there are ${found.length} projects, name one with --project: \`assay projects list\` shows their ids`,
    );
  return only.id;
}
