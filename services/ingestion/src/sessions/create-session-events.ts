import type {
  createSessionEventBatch,
  createSessionTraces,
  CreateSessionTracesRequest,
} from '@assay/contracts';
import { validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { batchSteps, storeBatch } from '../events/create-event-batch.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { withoutNulls } from '../shared/lenient-input.js';

/** Stores several events in the session that the path names, overriding the session of each event. */
export function makeCreateSessionEventBatch(deps: IngestionDeps): Operation<typeof createSessionEventBatch> {
  return ({ params, body }, { caller, headers, yieldToEventLoop, trace }) => {
    const request = {
      caller,
      headers,
      operation: 'createSessionEventBatch',
      content: [params, body],
      yieldToEventLoop,
      trace,
    };
    return storeBatch(deps, request, { events: body.events, sessionId: params.session_id });
  };
}

/** Stores several events in the session that the path names; the list has exactly one of two names. */
export function makeCreateSessionTraces(deps: IngestionDeps): Operation<typeof createSessionTraces> {
  return ({ params, body }, { caller, headers, yieldToEventLoop, trace }) => {
    const { listName, events } = eventListOf(body);
    const request = {
      caller,
      headers,
      operation: 'createSessionTraces',
      content: [params, body],
      yieldToEventLoop,
      trace,
    };
    const fields = { sessionId: params.session_id, listName };
    return storeBatch(deps, request, batchSteps(events, withoutNulls, fields));
  };
}

/** @throws AppError `VALIDATION_ERROR` for both lists or none */
function eventListOf({ logs, events }: CreateSessionTracesRequest) {
  if (logs && events) throw validationError('logs and events must not both be given');
  if (logs) return { listName: 'logs', events: logs };
  if (events) return { listName: 'events', events };
  throw validationError('logs or events is required');
}
