import { encodeRecord, type updateEvent, type updateEventByBody } from '@assay/contracts';
import { acceptUpdate, canonicalUuid, ignoredNames, type Caller, type UpdateInput } from '@assay/domain';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/** Updates the event that the path names. */
export function makeUpdateEvent(deps: IngestionDeps): Operation<typeof updateEvent> {
  return ({ params, body }, { caller }) => appendUpdate(deps, caller, params.event_id, body);
}

/** Updates the event that the body names. */
export function makeUpdateEventByBody(deps: IngestionDeps): Operation<typeof updateEventByBody> {
  return ({ body: { event_id: eventId, ...update } }, { caller }) =>
    appendUpdate(deps, caller, eventId, update);
}

/**
 * Appends an update to the log. It is merged with its event, whether the event arrives before or after it. The response names
 * the values that it does not apply.
 */
async function appendUpdate(deps: IngestionDeps, caller: Caller, id: string, update: UpdateInput) {
  const { projectId } = caller;
  const eventId = canonicalUuid(id);
  const value = Buffer.from(JSON.stringify(acceptUpdate(update, undefined, deps.maxEventBytes)));
  await deps.log.append([encodeRecord({ kind: 'patch', projectId, eventId, fresh: false, value })]);
  const ignored = ignoredNames(update);
  return { success: true, event_id: eventId, ...(ignored.length > 0 && { ignored }) };
}
