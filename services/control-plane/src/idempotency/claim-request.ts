import type { AcceptedRequest, RequestClaim } from '@assay/control-plane-client';
import type { CollectionSpec, DocumentCollection } from '@assay/document-store';
import { insertIfAbsent } from '../shared/insert-if-absent.js';

/** Request accepted under an `Idempotency-Key`. Contains hashes only, no text of the client. */
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
const RETENTION_MS = 24 * 3_600_000;
/** Every fiftieth claim deletes up to 100 expired keys, which is faster than keys are added. */
const REMOVAL_BATCH_SIZE = 100;
const CLAIMS_BETWEEN_REMOVALS = 50;

/**
 * Stores the first request of a key and returns it to later claims for 24 hours. Exactly one of several
 * concurrent claims is stored.
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
      limit: REMOVAL_BATCH_SIZE,
    });
    await requests.deleteAll(old.map(({ id }) => id));
  }

  return async function claimRequest({ projectId, key, content, at }) {
    const oldest = at - RETENTION_MS;
    if (claims++ % CLAIMS_BETWEEN_REMOVALS === 0) await removeOld(oldest);
    const id = `${projectId}/${key}`;
    for (;;) {
      if (await insertIfAbsent(requests, id, { content, at })) return { content, at };
      const first = await requests.get(id);
      if (first && first.at > oldest) return { content: first.content, at: first.at };
      // Expired or deleted meanwhile: this claim may become the first.
      if (first) await requests.delete(id);
    }
  };
}
