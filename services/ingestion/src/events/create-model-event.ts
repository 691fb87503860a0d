import type { createModelEvent } from '@assay/contracts';
import { modelEventInput } from '@assay/domain';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { storeEvent } from './store-event.js';
import { withoutNulls } from './without-nulls.js';

/** Stores one call of a model as an event of type `model`. */
export function makeCreateModelEvent(deps: IngestionDeps): Operation<typeof createModelEvent> {
  return ({ body }, { caller, headers }) => {
    const event = modelEventInput(withoutNulls(body.model_event), 'model_event.');
    return storeEvent(
      deps,
      { caller, headers, operation: 'createModelEvent', content: body },
      event,
      'model_event.',
    );
  };
}
