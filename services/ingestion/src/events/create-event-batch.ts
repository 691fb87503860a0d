import type { createEventBatch } from '@assay/contracts';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../ingestion-deps.js';
import { storeBatch } from './store-batch.js';

/** Stores several events, all or none. */
export function makeCreateEventBatch(deps: IngestionDeps): Operation<typeof createEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop }) =>
    storeBatch(
      deps,
      { caller, headers, operation: 'createEventBatch', content: body, yieldToEventLoop },
      body,
    );
}
