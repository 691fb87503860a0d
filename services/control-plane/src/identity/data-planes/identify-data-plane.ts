import type { IdentifyDataPlane } from '@assay/http';
import { dataPlaneIdIn } from './data-plane-token.js';
import { equalHashes, type HashKey } from '../keys/hash-key.js';
import { type DataPlane, type DataPlaneCollection, isPreviousTokenValid } from './data-plane-document.js';

/** Precision of `last_seen_at`, so that not every call is a write. */
const LAST_SEEN_PRECISION_MS = 60_000;

/**
 * Returns the data plane of a token. Malformed tokens are rejected without a look-up. Others are looked up by
 * the id that they contain and compared in constant time, with a dummy hash if the id is unknown. Nothing is
 * cached, so that a change or an end takes effect with the next call.
 */
export function makeIdentifyDataPlane(deps: {
  dataPlanes: DataPlaneCollection;
  hashKey: HashKey;
  now: () => Date;
}): IdentifyDataPlane {
  const dummy = deps.hashKey('');
  return async function identifyDataPlane(token) {
    const id = dataPlaneIdIn(token);
    if (id === undefined) return undefined;
    const record = await deps.dataPlanes.get(id);
    const hash = deps.hashKey(token);
    const isCurrent = equalHashes(record?.hash ?? dummy, hash);
    const isPrevious = equalHashes(record?.previous_hash ?? dummy, hash);
    const now = deps.now();
    if (
      !record ||
      record.ended_at !== null ||
      !(isCurrent || (isPrevious && isPreviousTokenValid(record, now)))
    )
      return undefined;
    await updateLastSeen(deps.dataPlanes, record, now);
    const { project_ids } = record;
    const mayActFor = (projectId: string) => project_ids === null || project_ids.includes(projectId);
    return { id, mayActFor, vouchesForAdministration: false };
  };
}

/** Skipped after a concurrent write: a later call will update it. */
async function updateLastSeen(dataPlanes: DataPlaneCollection, record: DataPlane, now: Date): Promise<void> {
  const since = record.last_seen_at === null ? Infinity : now.getTime() - Date.parse(record.last_seen_at);
  if (since >= LAST_SEEN_PRECISION_MS)
    await dataPlanes.replace({ ...record, last_seen_at: now.toISOString() });
}
