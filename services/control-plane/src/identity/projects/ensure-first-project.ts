import { readKeyText } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { Audit } from '../../audit/audit.js';
import type { HashKey } from '../keys/hash-key.js';
import { newId } from '../../shared/new-id.js';
import type { IssueKey } from '../keys/issue-key.js';
import type { ApiKeyFields, ApiKeyCollection } from '../keys/key-document.js';
import { newKeyId } from '../keys/new-key-text.js';
import { newProject, trimmedName, type Project, type ProjectCollection } from './project-document.js';

interface Deps {
  readonly projects: ProjectCollection;
  readonly keys: ApiKeyCollection;
  readonly issueKey: IssueKey;
  readonly hashKey: HashKey;
  readonly audit: Audit;
  readonly now: () => Date;
}

/** First project. `apiKey` is present only if this call created the key. */
export interface FirstProject {
  readonly project: Project;
  readonly apiKey?: string;
}

/**
 * Ensures that a project of this name exists and has a key: the configured one, or a new one if the project
 * never had any. Idempotent, so that every start may call it.
 * @param apiKey the configured key: 20 to 512 characters; a generated key must have a valid checksum
 * @throws AppError `VALIDATION_ERROR` if the configured key is malformed, `CONFLICT` if it belongs to another
 * project
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
    'the configured key must have 20 to 512 characters and, in the format of a generated key, a valid checksum',
  );
}

async function ensureProject(deps: Deps, name: string): Promise<Project> {
  const found = await deps.projects.findUnique({ name });
  if (found) return found;
  try {
    const created = await deps.projects.insert(newId(), newProject({ name }, deps.now()));
    await deps.audit({ action: 'project.created', projectId: created.id, subjectId: created.id }, 'process');
    return created;
  } catch (error) {
    const existing =
      error instanceof AppError && error.code === 'CONFLICT'
        ? await deps.projects.findUnique({ name })
        : undefined;
    if (existing) return existing;
    throw error;
  }
}

/** A revoked configured key stays revoked: a restart does not undo an administrator's action. */
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

/** Inserts a key. Returns false if a concurrently starting process inserted it. */
async function insertOnce(keys: ApiKeyCollection, id: string, fields: ApiKeyFields): Promise<boolean> {
  try {
    await keys.insert(id, fields);
    return true;
  } catch (error) {
    const existing = await keys.findUnique({ hash: fields.hash });
    if (existing?.project_id === fields.project_id) return false;
    throw error;
  }
}
