import { compile, lenientEvent, type createWrappedEvent } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeUnwrap } from './lenient-input.js';
import { storeEvent } from './store-event.js';
import { withoutNulls } from './without-nulls.js';

/** Stores the event that stands under `event`, as an object or as its JSON. */
export function makeCreateWrappedEvent(deps: IngestionDeps): Operation<typeof createWrappedEvent> {
  const unwrap = makeUnwrap('event', compile(lenientEvent, 'event'));
  return ({ body }, { caller, headers }) => {
    const event = withoutNulls(unwrap(body.event));
    return storeEvent(
      deps,
      { caller, headers, operation: 'createWrappedEvent', content: body },
      event,
      'event.',
    );
  };
}
