import { isDeepStrictEqual } from 'node:util';
import type { ForwardedSession } from '@assay/control-plane-client';
import type { NewDocument } from '@assay/document-store';
import { BATCH_SIZE, eventDocumentId, FORWARD_RETRY } from '../shared/forwarded-documents.js';
import { chunks } from '../shared/chunks.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import {
  isNewer,
  type SessionCollection,
  type SessionDocument,
  type SessionFields,
  toSessionFields,
} from './session-document.js';

type Upsert = NewDocument<SessionFields>;

/**
 * Stores sessions unless a newer state is stored, in one read and at most two writes for each 500. A state that is
 * forwarded twice with different content is replaced, because the first may have been read during a write.
 * @throws AppError `UNAVAILABLE` after repeated concurrent updates of one of the sessions
 */
export async function upsertSessions(
  sessions: SessionCollection,
  forwarded: readonly ForwardedSession[],
): Promise<void> {
  for (const batch of chunks(newestOfEach(forwarded), BATCH_SIZE)) await upsertBatch(sessions, batch);
}

/** Returns the newest state of each session: a batch may have several. */
function newestOfEach(forwarded: readonly ForwardedSession[]): Upsert[] {
  const newest = new Map<string, Upsert>();
  for (const one of forwarded) {
    const id = eventDocumentId(one.projectId, one.summary.session_id);
    const other = newest.get(id);
    if (!other || !isNewer(other.fields.watermark, one.watermark))
      newest.set(id, { id, fields: toSessionFields(one) });
  }
  return [...newest.values()];
}

async function upsertBatch(sessions: SessionCollection, upserts: readonly Upsert[]): Promise<void> {
  let pending = upserts;
  await retryWhileLost(async () => {
    const stored = new Map(
      (await sessions.getAll(pending.map(({ id }) => id))).map((document) => [document.id, document]),
    );
    const missing = pending.filter(({ id }) => !stored.has(id));
    const outdated = pending.flatMap((upsert) => {
      const document = stored.get(upsert.id);
      return document && isOutdated(document, upsert.fields) ? { upsert, version: document.version } : [];
    });
    const inserted = await sessions.insertMissing(missing);
    const replaced = await sessions.replaceAll(
      outdated.map(({ upsert: { id, fields }, version }) => ({ ...fields, id, version })),
    );
    if (inserted && replaced) return undefined;
    pending = [...missing, ...outdated.map(({ upsert }) => upsert)];
    return LOST;
  }, FORWARD_RETRY);
}

function isOutdated(
  { id: _id, version: _version, ...stored }: SessionDocument,
  fields: SessionFields,
): boolean {
  return !isNewer(stored.watermark, fields.watermark) && !isDeepStrictEqual(stored, fields);
}
