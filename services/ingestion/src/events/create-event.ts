import type { createEvent } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { storeEvent } from './store-event.js';

/** Stores one event. */
export function makeCreateEvent(deps: IngestionDeps): Operation<typeof createEvent> {
  return ({ body }, { caller, headers }) =>
    storeEvent(deps, { caller, headers, operation: 'createEvent', content: body }, body);
}
