import type { ApiKey, ApiKeyCollection } from './key-document.js';

/** Time between two writes of one key, in milliseconds. */
const WRITE_INTERVAL_MS = 60_000;
/** Keys of which this process remembers the last write; it forgets all beyond this, and relies on the stored times. */
const MAX_KEYS = 10_000;
/** Maximum number of keys whose use is being written. */
const MAX_WRITES = 100;

/**
 * Returns a function that stores when a key was used, at most once a minute per key. It does not wait for the write, which may
 * fail: then the next use is stored. A concurrent change of the key, such as its revocation, wins.
 */
export function makeRecordKeyUse(deps: { keys: ApiKeyCollection; now: () => Date }) {
  const writtenAt = new Map<string, number>();
  let writes = 0;

  return function recordKeyUse(key: ApiKey): void {
    const now = deps.now();
    const last = Math.max(writtenAt.get(key.id) ?? 0, Date.parse(key.last_used_at ?? '') || 0);
    if (now.getTime() - last < WRITE_INTERVAL_MS || writes >= MAX_WRITES) return;
    if (writtenAt.size >= MAX_KEYS) writtenAt.clear();
    writtenAt.set(key.id, now.getTime());
    writes++;
    deps.keys
      .replace({ ...key, last_used_at: now.toISOString() })
      .catch(() => writtenAt.delete(key.id))
      .finally(() => writes--);
  };
}
