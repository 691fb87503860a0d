import type { createSessionEventBatch } from '@assay/contracts';
import type { Operation } from '@assay/http';
import { storeBatch } from '../events/store-batch.js';
import type { IngestionDeps } from '../ingestion-deps.js';

/** Stores several events in the session that the path names, whatever they say themselves. */
export function makeCreateSessionEventBatch(deps: IngestionDeps): Operation<typeof createSessionEventBatch> {
  return ({ params, body }, { caller, headers, yieldToEventLoop }) => {
    const request = {
      caller,
      headers,
      operation: 'createSessionEventBatch',
      content: [params, body],
      yieldToEventLoop,
    };
    return storeBatch(deps, request, { events: body.events, sessionId: params.session_id });
  };
}
