import { EVENT_NAMESPACE, uuid5 } from './event-id.js';

/**
 * Returns a generator of ids for what a request with an `Idempotency-Key` creates: the n-th call returns the
 * n-th id. The same project, key and content give the same ids in every process and at any time. Different
 * content gives different ids, so a reused key never addresses an event of another request.
 */
export function derivedIds(projectId: string, key: string, contentHash: string): () => string {
  let count = 0;
  return () => uuid5(EVENT_NAMESPACE, JSON.stringify([projectId, 'idempotency', key, contentHash, count++]));
}
