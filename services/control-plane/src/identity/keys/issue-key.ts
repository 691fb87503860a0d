import type { IngestLimits, KeyScope } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { Audit, Actor } from '../../audit/audit.js';
import type { HashKey } from './hash-key.js';
import { expiryOfNewKey } from './expiry-of-new-key.js';
import type { ApiKey, ApiKeyCollection } from './key-document.js';
import { newKeyText } from './new-key-text.js';

const MAX_KEYS_PER_PROJECT = 1_000;

/** Properties of a new key. */
export interface NewKey {
  readonly projectId: string;
  readonly scope: KeyScope;
  readonly name: string;
  readonly description?: string;
  readonly permissions?: readonly string[];
  readonly expiresAt?: string | null;
  readonly limits?: IngestLimits | undefined;
  /** False for a key that must be replaced unless it is shown or used. */
  readonly isShown?: false;
}

/** Generates and stores a key, which expires no later than the key that creates it. `text` is the key itself, which is stored nowhere. */
export type IssueKey = (
  key: NewKey,
  by: Actor,
) => Promise<{ readonly text: string; readonly record: ApiKey }>;

/** The returned function throws AppError `CONFLICT` if the project has 1,000 active keys, and the errors of {@link expiryOfNewKey}. */
export function makeIssueKey(deps: {
  keys: ApiKeyCollection;
  hashKey: HashKey;
  audit: Audit;
  now: () => Date;
}): IssueKey {
  return async function issueKey(key, by) {
    const active = await deps.keys.count({ project_id: key.projectId, revoked_at: null });
    if (active >= MAX_KEYS_PER_PROJECT)
      throw new AppError('CONFLICT', `a project may have at most ${MAX_KEYS_PER_PROJECT} keys`);
    const expiresAt = await expiryOfNewKey({ keys: deps.keys, by }, key.expiresAt);
    const { keyId, text } = newKeyText(key.scope);
    const record = await deps.keys.insert(keyId, {
      project_id: key.projectId,
      scope: key.scope,
      name: key.name,
      description: key.description ?? '',
      permissions: key.permissions ?? [],
      hash: deps.hashKey(text),
      created_at: deps.now().toISOString(),
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
      ...(key.limits && { limits: key.limits }),
      ...(key.isShown === undefined ? {} : { is_shown: key.isShown }),
    });
    await deps.audit({ action: 'key.created', projectId: key.projectId, subjectId: keyId }, by);
    return { text, record };
  };
}
