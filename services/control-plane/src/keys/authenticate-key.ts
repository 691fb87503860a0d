import { readKeyText, type Caller } from '@assay/domain';
import type { ProjectRecords } from '../projects/project-records.js';
import { equalHashes, type HashKey } from './hash-key.js';
import type { KeyRecord, KeyRecords } from './key-records.js';

/**
 * Whom a key belongs to; undefined when it is unknown, revoked or expired, or its project is gone. What cannot be a key is refused
 * without a look-up. A key of ours is looked up by its id and then compared in constant time, against a dummy when the id is unknown;
 * any other key is looked up by its HMAC, whose value nobody can steer without the pepper.
 */
export function makeAuthenticateKey(deps: {
  keys: KeyRecords;
  projects: ProjectRecords;
  hashKey: HashKey;
  now: () => Date;
}) {
  const dummy = deps.hashKey('');
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
    return (
      project && { projectId: project.id, projectName: project.name, keyId: record.id, scope: record.scope }
    );
  };
}

function hasEnded({ revoked_at, expires_at }: KeyRecord, now: Date): boolean {
  return revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now.getTime());
}
