import type { IdentifyDataPlane } from '@assay/http';
import { equalHashes, type HashKey } from '../keys/hash-key.js';
import { dataPlaneIdIn } from './data-plane-token.js';
import { type DataPlaneRecord, type DataPlaneRecords, previousWorks } from './data-plane-records.js';

/** How exactly it is noted when a data plane was last seen: not each call is a write. */
const SEEN_EVERY_MS = 60_000;

/**
 * Whose token this is. What cannot be a token is refused without a look-up; the others are looked up by the id in them and compared in
 * constant time, against a dummy when the id is unknown. Nothing is remembered, so that a change or an end counts from the next call on.
 */
export function makeIdentifyDataPlane(deps: {
  dataPlanes: DataPlaneRecords;
  hashKey: HashKey;
  now: () => Date;
}): IdentifyDataPlane {
  const dummy = deps.hashKey('');
  return async function identifyDataPlane(token) {
    const id = dataPlaneIdIn(token);
    if (id === undefined) return undefined;
    const record = await deps.dataPlanes.get(id);
    const hash = deps.hashKey(token);
    const isPresent = equalHashes(record?.hash ?? dummy, hash);
    const isPrevious = equalHashes(record?.previous_hash ?? dummy, hash);
    const now = deps.now();
    if (!record || record.ended_at !== null || !(isPresent || (isPrevious && previousWorks(record, now))))
      return undefined;
    await noteSeen(deps.dataPlanes, record, now);
    const { project_ids } = record;
    const mayActFor = (projectId: string) => project_ids === null || project_ids.includes(projectId);
    return { id, mayActFor, vouchesForAdministration: false };
  };
}

/** When somebody else is writing the record at the same time, they win: it will be noted with another call. */
async function noteSeen(dataPlanes: DataPlaneRecords, record: DataPlaneRecord, now: Date): Promise<void> {
  const since = record.last_seen_at === null ? Infinity : now.getTime() - Date.parse(record.last_seen_at);
  if (since >= SEEN_EVERY_MS) await dataPlanes.replace({ ...record, last_seen_at: now.toISOString() });
}
