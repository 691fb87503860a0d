import type { KeyScope } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { Audit, Actor } from '../audit/audit.js';
import type { HashKey } from './hash-key.js';
import { newKeyText } from './new-key-text.js';
import type { KeyRecord, KeyRecords } from './key-records.js';

const MAX_KEYS_PER_PROJECT = 1_000;

/** What a new key is made from. */
export interface NewKey {
  readonly projectId: string;
  readonly scope: KeyScope;
  readonly name: string;
  readonly description?: string;
  readonly permissions?: readonly string[];
  readonly expiresAt?: string | null;
}

/** Makes and stores a key. `text` is the key itself: it exists nowhere else and cannot be had again. */
export type IssueKey = (
  key: NewKey,
  by: Actor,
) => Promise<{ readonly text: string; readonly record: KeyRecord }>;

/** The returned function throws AppError `CONFLICT` when the project has 1,000 keys that were not revoked. */
export function makeIssueKey(deps: {
  keys: KeyRecords;
  hashKey: HashKey;
  audit: Audit;
  now: () => Date;
}): IssueKey {
  return async function issueKey(key, by) {
    const active = await deps.keys.count({ project_id: key.projectId, revoked_at: null });
    if (active >= MAX_KEYS_PER_PROJECT)
      throw new AppError('CONFLICT', `a project may have at most ${MAX_KEYS_PER_PROJECT} keys`);
    const { keyId, text } = newKeyText(key.scope);
    const record = await deps.keys.insert(keyId, {
      project_id: key.projectId,
      scope: key.scope,
      name: key.name,
      description: key.description ?? '',
      permissions: key.permissions ?? [],
      hash: deps.hashKey(text),
      created_at: deps.now().toISOString(),
      expires_at: key.expiresAt ?? null,
      revoked_at: null,
    });
    await deps.audit({ action: 'key.created', projectId: key.projectId, subjectId: keyId }, by);
    return { text, record };
  };
}
