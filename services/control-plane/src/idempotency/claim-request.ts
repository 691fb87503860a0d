import type { AcceptedRequest, RequestClaim } from '@assay/control-plane-client';
import type { CollectionSpec, DocumentCollection } from '@assay/document-store';
import { insertIfAbsent } from '../shared/insert-if-absent.js';

/** A request that was accepted under an `Idempotency-Key`: hashes, no text that anybody has sent. */
export interface RequestFields {
  readonly content: string;
  /** When it was accepted, Unix milliseconds. */
  readonly at: number;
}
export type RequestCollection = DocumentCollection<RequestFields>;

export const REQUEST_COLLECTION: CollectionSpec = {
  name: 'idempotent_requests',
  unique: [],
  indexes: [['at']],
};

/** How long a key belongs to its first request. */
const REMEMBERED_MS = 24 * 3_600_000;
/** What is too old goes a hundred at a time, with one claim in fifty: faster than it comes. */
const REMOVED_AT_ONCE = 100;
const CLAIMS_BETWEEN_REMOVALS = 50;

/**
 * Keeps under a key what came first, and tells it; after 24 hours the next one counts as the first. Of claims at the same moment exactly one is kept.
 * @throws AppError `UNAVAILABLE`
 */
export function makeClaimRequest(
  requests: RequestCollection,
): (claim: RequestClaim) => Promise<AcceptedRequest> {
  let claims = 0;

  async function removeOld(before: number): Promise<void> {
    const old = await requests.entries({
      equals: {},
      where: [{ field: 'at', to: before }],
      orderBy: 'at',
      limit: REMOVED_AT_ONCE,
    });
    await requests.deleteAll(old.map(({ id }) => id));
  }

  return async function claimRequest({ projectId, key, content, at }) {
    const oldest = at - REMEMBERED_MS;
    if (claims++ % CLAIMS_BETWEEN_REMOVALS === 0) await removeOld(oldest);
    const id = `${projectId}/${key}`;
    for (;;) {
      if (await insertIfAbsent(requests, id, { content, at })) return { content, at };
      const first = await requests.get(id);
      if (first && first.at > oldest) return { content: first.content, at: first.at };
      // Too old, or removed just now: the next one counts as the first.
      if (first) await requests.delete(id);
    }
  };
}
