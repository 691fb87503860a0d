import type {
  createEventBatch,
  createLenientEventBatch,
  createModelEventBatch,
  LenientSession,
} from '@assay/contracts';
import { acceptBatch, modelEventInput, type AcceptedBatch, type BatchInput } from '@assay/domain';
import type { Operation } from '@assay/http';
import type { YieldToEventLoop } from '@assay/runtime';
import type { Acceptance, CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { withoutNulls } from '../shared/lenient-input.js';
import { missingSessions } from '../shared/missing-sessions.js';

/** Stores several events, all or none. */
export function makeCreateEventBatch(deps: IngestionDeps): Operation<typeof createEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop }) =>
    storeBatch(
      deps,
      { caller, headers, operation: 'createEventBatch', content: body, yieldToEventLoop },
      body,
    );
}

/** Stores several events, all or none; accepts older names for the fields that share a session. */
export function makeCreateLenientEventBatch(deps: IngestionDeps): Operation<typeof createLenientEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop }) => {
    const batch = { ...sessionFieldsOf(body), events: body.events.map(withoutNulls) };
    const request = {
      caller,
      headers,
      operation: 'createLenientEventBatch',
      content: body,
      yieldToEventLoop,
    };
    return storeBatch(deps, request, batch);
  };
}

/** Stores several model calls, all or none. */
export function makeCreateModelEventBatch(deps: IngestionDeps): Operation<typeof createModelEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop }) => {
    const events = body.model_events.map((event, index) =>
      modelEventInput(withoutNulls(event), `model_events[${index}].`),
    );
    const batch = { ...sessionFieldsOf(body), events, listName: 'model_events' };
    const request = { caller, headers, operation: 'createModelEventBatch', content: body, yieldToEventLoop };
    return storeBatch(deps, request, batch);
  };
}

/**
 * Stores several events, all or none, with the session that the client describes, or with synthesised
 * sessions.
 */
export function storeBatch(deps: IngestionDeps, request: CreateRequest, input: BatchInput) {
  return deps
    .withIdempotency(request, (context) => acceptBatch(input, context))
    .then((acceptance) => appendBatch(deps, acceptance, request.yieldToEventLoop));
}

/** Does not keep the events while the log syncs. */
function appendBatch(
  deps: IngestionDeps,
  { value: batch, forStorage }: Acceptance<AcceptedBatch>,
  yieldToEventLoop: YieldToEventLoop | undefined,
) {
  const accepted = forStorage(batch.session ? [batch.session, ...batch.events] : batch.events);
  const response = {
    success: true,
    event_ids: batch.events.map(({ event }) => event.event_id),
    session_id: batch.sessionId,
  };
  return deps
    .appendEvents({ accepted, synthesised: missingSessions(accepted) }, yieldToEventLoop)
    .then(() => response);
}

interface LenientSessionFields {
  readonly single_session?: boolean | null;
  readonly is_single_session?: boolean | null;
  readonly session_properties?: LenientSession | null;
  readonly session?: LenientSession | null;
}

function sessionFieldsOf(
  sent: LenientSessionFields,
): Pick<BatchInput, 'single_session' | 'session_properties'> {
  const properties = sent.session_properties ?? sent.session ?? undefined;
  return {
    single_session: sent.single_session ?? sent.is_single_session ?? false,
    ...(properties === undefined ? {} : { session_properties: withoutNulls(properties) }),
  };
}
