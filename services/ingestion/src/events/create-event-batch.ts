import type {
  createEventBatch,
  createLenientEventBatch,
  createModelEventBatch,
  LenientSession,
} from '@assay/contracts';
import {
  acceptBatchSteps,
  modelEventInput,
  type AcceptedBatch,
  type BatchInput,
  type EventInput,
} from '@assay/domain';
import type { Operation } from '@assay/http';
import { mapSteps, runCooperatively, type Steps } from '@assay/runtime';
import type { Acceptance, CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { withoutNulls } from '../shared/lenient-input.js';
import { missingSessionsSteps } from '../shared/missing-sessions.js';

/** Stores several events, all or none. */
export function makeCreateEventBatch(deps: IngestionDeps): Operation<typeof createEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) =>
    storeBatch(
      deps,
      { caller, headers, operation: 'createEventBatch', content: body, yieldToEventLoop, trace },
      body,
    );
}

/** Stores several events, all or none; accepts older names for the fields that share a session. */
export function makeCreateLenientEventBatch(deps: IngestionDeps): Operation<typeof createLenientEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) => {
    const batch = batchSteps(body.events, withoutNulls, sessionFieldsOf(body));
    const request = {
      caller,
      headers,
      operation: 'createLenientEventBatch',
      content: body,
      yieldToEventLoop,
      trace,
    };
    return storeBatch(deps, request, batch);
  };
}

/** Stores several model calls, all or none. */
export function makeCreateModelEventBatch(deps: IngestionDeps): Operation<typeof createModelEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) => {
    const batch = batchSteps(
      body.model_events,
      (event, index) => modelEventInput(withoutNulls(event), `model_events[${index}].`),
      { ...sessionFieldsOf(body), listName: 'model_events' },
    );
    const request = {
      caller,
      headers,
      operation: 'createModelEventBatch',
      content: body,
      yieldToEventLoop,
      trace,
    };
    return storeBatch(deps, request, batch);
  };
}

/**
 * Stores several events, all or none, with the session that the client describes, or with synthesised
 * sessions.
 */
export async function storeBatch(
  deps: IngestionDeps,
  request: CreateRequest,
  input: BatchInput | Steps<BatchInput>,
) {
  const { yieldToEventLoop } = request;
  const batch = Symbol.iterator in input ? await runCooperatively(input, yieldToEventLoop) : input;
  return deps
    .withIdempotency(request, (context) =>
      runCooperatively(acceptBatchSteps(batch, context), yieldToEventLoop),
    )
    .then((acceptance) => appendBatch(deps, acceptance, request));
}

/** Returns the steps that make a batch of what a client has sent. */
export function* batchSteps<Sent>(
  sent: readonly Sent[],
  inputOf: (event: Sent, index: number) => EventInput,
  fields: Omit<BatchInput, 'events'>,
): Steps<BatchInput> {
  return { ...fields, events: yield* mapSteps(sent, inputOf) };
}

/** Does not keep the events while the log syncs. */
async function appendBatch(
  deps: IngestionDeps,
  { value: batch, forStorage }: Acceptance<AcceptedBatch>,
  { yieldToEventLoop, trace }: Pick<CreateRequest, 'yieldToEventLoop' | 'trace'>,
) {
  const accepted = forStorage(batch.session ? [batch.session, ...batch.events] : batch.events);
  const response = {
    success: true,
    event_ids: batch.events.map(({ event }) => event.event_id),
    session_id: batch.sessionId,
  };
  const synthesised = await runCooperatively(missingSessionsSteps(accepted), yieldToEventLoop);
  return deps.appendEvents({ accepted, synthesised, trace }, yieldToEventLoop).then(() => response);
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
