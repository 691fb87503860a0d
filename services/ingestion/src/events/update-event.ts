import type { updateEvent } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { appendUpdate } from './append-update.js';

/** Puts an update on the log for the event that the path names. */
export function makeUpdateEvent(deps: IngestionDeps): Operation<typeof updateEvent> {
  return ({ params, body }, { caller }) => appendUpdate(deps, caller, params.event_id, body);
}
