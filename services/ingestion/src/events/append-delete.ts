import { encodeRecord } from '@assay/contracts';
import { canonicalUuid, type Caller } from '@assay/domain';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/**
 * Puts a delete on the log. What is deleted stays deleted, also when it is sent again. A session is named by the id of its event: with it go the
 * events that belong to it, those that arrive later, too.
 */
export async function appendDelete(deps: IngestionDeps, caller: Caller, id: string) {
  const eventId = canonicalUuid(id);
  const value = Buffer.alloc(0);
  await deps.log.append([
    encodeRecord({ kind: 'delete', projectId: caller.projectId, eventId, fresh: false, value }),
  ]);
  return { success: true, deleted: eventId };
}
