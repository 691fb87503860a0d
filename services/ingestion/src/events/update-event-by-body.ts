import type { updateEventByBody } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { appendUpdate } from './append-update.js';
import { withoutNulls } from './without-nulls.js';

/** Puts an update on the log for the event that the body names. */
export function makeUpdateEventByBody(deps: IngestionDeps): Operation<typeof updateEventByBody> {
  return ({ body: { event_id: eventId, ...update } }, { caller }) =>
    appendUpdate(deps, caller, eventId, withoutNulls(update));
}
