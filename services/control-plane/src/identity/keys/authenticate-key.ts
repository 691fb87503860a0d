import { activeLimits, readKeyText, type ActiveLimits, type Caller } from '@assay/domain';
import type { Project, ProjectCollection } from '../projects/project-document.js';
import { equalHashes, type HashKey } from './hash-key.js';
import type { ApiKey, ApiKeyCollection } from './key-document.js';
import { makeRecordKeyUse } from './record-key-use.js';

/**
 * Returns the caller of a key, or undefined if the key is unknown, revoked or expired, or its project is
 * deleted, and stores the use of the key. Malformed keys are rejected without a look-up. A generated key is looked up by its id and compared
 * in constant time, with a dummy hash if the id is unknown. Any other key is looked up by its HMAC, which
 * cannot be chosen without the pepper.
 */
export function makeAuthenticateKey(deps: {
  keys: ApiKeyCollection;
  projects: ProjectCollection;
  hashKey: HashKey;
  now: () => Date;
  /** Limits of projects that have none of their own. */
  projectLimits?: ActiveLimits;
}) {
  const dummy = deps.hashKey('');
  const recordKeyUse = makeRecordKeyUse(deps);
  return async function authenticateKey(text: string): Promise<Caller | undefined> {
    const read = readKeyText(text);
    if (read.kind === 'refused') return undefined;
    const hash = deps.hashKey(text);
    const record = await (read.kind === 'issued'
      ? deps.keys.get(read.keyId)
      : deps.keys.findUnique({ hash }));
    const isSame = equalHashes(record?.hash ?? dummy, hash);
    if (!record || !isSame || hasEnded(record, deps.now())) return undefined;
    const project = await deps.projects.get(record.project_id);
    if (project === undefined) return undefined;
    recordKeyUse(record);
    return callerOf(record, project, deps.projectLimits);
  };
}

/** An empty list of permissions stands for all. */
function callerOf(
  key: ApiKey,
  { id: projectId, name: projectName, limits }: Project,
  installation?: ActiveLimits,
): Caller {
  const { id: keyId, scope, permissions, expires_at: expiresAt } = key;
  const [projectLimits, keyLimits] = [activeLimits(limits, installation), activeLimits(key.limits)];
  const caller = {
    ...{ projectId, projectName, keyId, scope },
    ...(expiresAt !== null && { expiresAt }),
    ...(projectLimits && { projectLimits }),
    ...(keyLimits && { keyLimits }),
  };
  return permissions.length === 0 ? caller : { ...caller, permissions };
}

function hasEnded({ revoked_at, expires_at }: ApiKey, now: Date): boolean {
  return revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now.getTime());
}
