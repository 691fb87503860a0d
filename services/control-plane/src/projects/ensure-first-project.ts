import { readKeyText } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { Audit } from '../audit/audit.js';
import type { HashKey } from '../keys/hash-key.js';
import type { IssueKey } from '../keys/issue-key.js';
import type { KeyFields, KeyRecords } from '../keys/key-records.js';
import { newKeyId } from '../keys/new-key-text.js';
import { newProject, newProjectId } from './new-project.js';
import { trimmedName } from './project-name.js';
import type { Project, ProjectRecords } from './project-records.js';

interface Deps {
  readonly projects: ProjectRecords;
  readonly keys: KeyRecords;
  readonly issueKey: IssueKey;
  readonly hashKey: HashKey;
  readonly audit: Audit;
  readonly now: () => Date;
}

/** The first project, and the text of its key only if this call has made one: it is shown once. */
export interface FirstProject {
  readonly project: Project;
  readonly apiKey?: string;
}

/**
 * Makes sure that there is a project of this name with a key: the configured one, or a new one if the project never had any.
 * Changes nothing when all is there, so every start may call it.
 * @param apiKey the configured key: 20 to 512 characters of any shape but a mistyped one of ours
 * @throws AppError `VALIDATION_ERROR` when the configured key cannot be one, `CONFLICT` when it belongs to another project
 */
export function makeEnsureFirstProject(deps: Deps) {
  return async function ensureFirstProject(name: string, apiKey?: string): Promise<FirstProject> {
    if (apiKey !== undefined) checkConfigured(apiKey);
    const project = await ensureProject(deps, trimmedName(name));
    if (apiKey !== undefined) {
      await ensureConfiguredKey(deps, project, apiKey);
      return { project };
    }
    if ((await deps.keys.count({ project_id: project.id })) > 0) return { project };
    const { text } = await deps.issueKey(
      { projectId: project.id, scope: 'project', name: 'first key' },
      'process',
    );
    return { project, apiKey: text };
  };
}

function checkConfigured(apiKey: string): void {
  if (readKeyText(apiKey).kind !== 'refused') return;
  throw validationError(
    'the configured key must have 20 to 512 characters, and a right checksum if it has the shape of a key of this service',
  );
}

async function ensureProject(deps: Deps, name: string): Promise<Project> {
  const found = await deps.projects.findUnique({ name });
  if (found) return found;
  try {
    const made = await deps.projects.insert(newProjectId(), newProject({ name }, deps.now()));
    await deps.audit({ action: 'project.created', projectId: made.id, subjectId: made.id }, 'process');
    return made;
  } catch (error) {
    const others =
      error instanceof AppError && error.code === 'CONFLICT'
        ? await deps.projects.findUnique({ name })
        : undefined;
    if (others) return others;
    throw error;
  }
}

/** A configured key that was revoked stays revoked: what a person has done by hand outlasts a restart. */
async function ensureConfiguredKey(deps: Deps, project: Project, apiKey: string): Promise<void> {
  const hash = deps.hashKey(apiKey);
  const known = await deps.keys.findUnique({ hash });
  if (known?.project_id === project.id) return;
  if (known && (await deps.projects.get(known.project_id)))
    throw new AppError('CONFLICT', 'the configured key belongs to another project');
  if (known) await deps.keys.delete(known.id);
  const read = readKeyText(apiKey);
  const id = read.kind === 'issued' ? read.keyId : newKeyId();
  const scope = read.kind === 'issued' ? read.scope : 'project';
  const texts = { name: 'configured key', description: 'Set by ASSAY_API_KEY', permissions: [] };
  const times = { created_at: deps.now().toISOString(), expires_at: null, revoked_at: null };
  const inserted = await insertOnce(deps.keys, id, {
    project_id: project.id,
    scope,
    hash,
    ...texts,
    ...times,
  });
  if (inserted) await deps.audit({ action: 'key.created', projectId: project.id, subjectId: id }, 'process');
}

/** Of two processes that start at once, one inserts and the other finds it done: false. */
async function insertOnce(keys: KeyRecords, id: string, fields: KeyFields): Promise<boolean> {
  try {
    await keys.insert(id, fields);
    return true;
  } catch (error) {
    const others = await keys.findUnique({ hash: fields.hash });
    if (others?.project_id === fields.project_id) return false;
    throw error;
  }
}
