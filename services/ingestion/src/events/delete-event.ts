import type { deleteEvent } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { appendDelete } from './append-delete.js';

/** Deletes an event; the event of a session takes the whole session along. */
export function makeDeleteEvent(deps: IngestionDeps): Operation<typeof deleteEvent> {
  return ({ params }, { caller }) => appendDelete(deps, caller, params.event_id);
}
