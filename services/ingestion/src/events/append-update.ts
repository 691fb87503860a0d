import { encodeRecord } from '@assay/contracts';
import { acceptUpdate, canonicalUuid, type Caller, type UpdateInput } from '@assay/domain';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/** Puts an update on the log. It is merged when its event is there, now or later. */
export async function appendUpdate(deps: IngestionDeps, caller: Caller, id: string, update: UpdateInput) {
  const eventId = canonicalUuid(id);
  const value = Buffer.from(JSON.stringify(acceptUpdate(update)));
  await deps.log.append([
    encodeRecord({ kind: 'patch', projectId: caller.projectId, eventId, fresh: false, value }),
  ]);
  return { success: true, event_id: eventId };
}
