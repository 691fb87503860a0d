import type { deleteSession } from '@assay/contracts';
import type { Operation } from '@assay/http';
import { appendDelete } from '../events/append-delete.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/** Deletes a session with all its events. */
export function makeDeleteSession(deps: IngestionDeps): Operation<typeof deleteSession> {
  return ({ params }, { caller }) => appendDelete(deps, caller, params.session_id);
}
