import type { CreateSessionTracesRequest, createSessionTraces } from '@assay/contracts';
import { validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { storeBatch } from '../events/store-batch.js';
import { withoutNulls } from '../events/without-nulls.js';
import type { IngestionDeps } from '../ingestion-deps.js';

/** Stores several events in the session that the path names; they stand under exactly one of two names. */
export function makeCreateSessionTraces(deps: IngestionDeps): Operation<typeof createSessionTraces> {
  return ({ params, body }, { caller, headers, yieldToEventLoop }) => {
    const { listName, events } = onlyList(body);
    const request = {
      caller,
      headers,
      operation: 'createSessionTraces',
      content: [params, body],
      yieldToEventLoop,
    };
    return storeBatch(deps, request, {
      events: events.map(withoutNulls),
      sessionId: params.session_id,
      listName,
    });
  };
}

/** @throws AppError `VALIDATION_ERROR` for both lists or none */
function onlyList({ logs, events }: CreateSessionTracesRequest) {
  if (logs && events) throw validationError('logs and events must not both be given');
  if (logs) return { listName: 'logs', events: logs };
  if (events) return { listName: 'events', events };
  throw validationError('logs or events is required');
}
