import type { startSession } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { storeSession } from './store-session.js';

/** Starts a session. */
export function makeStartSession(deps: IngestionDeps): Operation<typeof startSession> {
  return ({ body }, { caller, headers }) =>
    storeSession(deps, { caller, headers, operation: 'startSession', content: body }, body);
}
