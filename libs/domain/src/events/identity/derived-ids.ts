import { EVENT_NAMESPACE, uuid5 } from './event-id.js';

/**
 * Ids for what a request under an `Idempotency-Key` makes: the n-th call gives the n-th id. The same project,
 * key and content give the same ids in every process and at any time; other content gives others, so that a
 * key that is used again never leads into somebody else's event.
 */
export function derivedIds(projectId: string, key: string, contentHash: string): () => string {
  let count = 0;
  return () => uuid5(EVENT_NAMESPACE, JSON.stringify([projectId, 'idempotency', key, contentHash, count++]));
}
