import {
  compile,
  lenientEvent,
  type createEvent,
  type createModelEvent,
  type createWrappedEvent,
} from '@assay/contracts';
import { acceptEventSteps, modelEventInput, type AcceptedEvent, type EventInput } from '@assay/domain';
import type { Operation } from '@assay/http';
import { runCooperatively } from '@assay/runtime';
import type { Acceptance, CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeUnwrap, withoutNulls } from '../shared/lenient-input.js';
import { missingSessions } from '../shared/missing-sessions.js';

/** Stores one event. */
export function makeCreateEvent(deps: IngestionDeps): Operation<typeof createEvent> {
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) =>
    storeEvent(
      deps,
      { caller, headers, operation: 'createEvent', content: body, yieldToEventLoop, trace },
      body,
    );
}

/** Stores the event under `event`, an object or its JSON text. */
export function makeCreateWrappedEvent(deps: IngestionDeps): Operation<typeof createWrappedEvent> {
  const unwrap = makeUnwrap('event', compile(lenientEvent, 'event'));
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) => {
    const event = withoutNulls(unwrap(body.event));
    const request = {
      caller,
      headers,
      operation: 'createWrappedEvent',
      content: body,
      yieldToEventLoop,
      trace,
    };
    return storeEvent(deps, request, event, 'event.');
  };
}

/** Stores one model call as an event of type `model`. */
export function makeCreateModelEvent(deps: IngestionDeps): Operation<typeof createModelEvent> {
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) => {
    const event = modelEventInput(withoutNulls(body.model_event), 'model_event.');
    const request = {
      caller,
      headers,
      operation: 'createModelEvent',
      content: body,
      yieldToEventLoop,
      trace,
    };
    return storeEvent(deps, request, event, 'model_event.');
  };
}

/** Stores one event, and synthesises its session unless it was sent. `path` prefixes field names in errors. */
function storeEvent(deps: IngestionDeps, request: CreateRequest, input: EventInput, path = '') {
  const { yieldToEventLoop } = request;
  return deps
    .withIdempotency(request, (context) =>
      runCooperatively(acceptEventSteps(input, context, path), yieldToEventLoop),
    )
    .then((acceptance) => appendEvent(deps, acceptance, request));
}

/** Does not keep the event while the log syncs. */
function appendEvent(
  deps: IngestionDeps,
  { value, forStorage }: Acceptance<AcceptedEvent>,
  { yieldToEventLoop, trace }: Pick<CreateRequest, 'yieldToEventLoop' | 'trace'>,
) {
  const { event } = value;
  const accepted = forStorage([value]);
  const response = { success: true, event_id: event.event_id, session_id: event.session_id };
  const synthesised = missingSessions(accepted);
  return deps.appendEvents({ accepted, synthesised, trace }, yieldToEventLoop).then(() => response);
}
