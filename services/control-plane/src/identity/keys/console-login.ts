import { notFound } from '@assay/errors';
import { trimmedName, type ProjectCollection } from '../projects/project-document.js';
import type { IssueKey } from './issue-key.js';

const KEY_MS = 7 * 24 * 60 * 60 * 1_000;

/** Signs a person in to a project: the key is created when the person has come. */
export interface ConsoleLogin {
  readonly projectId: string;
  /** Creates a key with all rights of the project that expires in 7 days. @throws AppError of {@link IssueKey} */
  readonly createKey: () => Promise<string>;
}

/** The returned function throws AppError `NOT_FOUND` if there is no project of the name. */
export function makeConsoleLogin(deps: {
  readonly projects: ProjectCollection;
  readonly issueKey: IssueKey;
  readonly now: () => Date;
}) {
  return async function consoleLogin(projectName: string): Promise<ConsoleLogin> {
    const project = await deps.projects.findUnique({ name: trimmedName(projectName) });
    if (project === undefined) throw notFound('there is no such project');
    const projectId = project.id;
    const createKey = async () => {
      const expiresAt = new Date(deps.now().getTime() + KEY_MS).toISOString();
      const key = { projectId, scope: 'project', name: 'console login', expiresAt } as const;
      return (await deps.issueKey(key, 'process')).text;
    };
    return { projectId, createKey };
  };
}
