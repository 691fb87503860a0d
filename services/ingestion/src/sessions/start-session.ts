import { compile, lenientSession, type startSession, type startWrappedSession } from '@assay/contracts';
import { acceptSessionSteps, toWireEvent, type SessionInput } from '@assay/domain';
import type { Operation } from '@assay/http';
import { runCooperatively } from '@assay/runtime';
import type { CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeUnwrap, withoutNulls } from '../shared/lenient-input.js';

/** Starts a session. */
export function makeStartSession(deps: IngestionDeps): Operation<typeof startSession> {
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) => {
    const request = { caller, headers, operation: 'startSession', content: body, yieldToEventLoop, trace };
    return storeSession(deps, request, body);
  };
}

/** Starts the session under `session`, an object or its JSON text. */
export function makeStartWrappedSession(deps: IngestionDeps): Operation<typeof startWrappedSession> {
  const unwrap = makeUnwrap('session', compile(lenientSession(), 'session'));
  return ({ body }, { caller, headers, yieldToEventLoop, trace }) => {
    const session = withoutNulls(unwrap(body.session));
    const request = {
      caller,
      headers,
      operation: 'startWrappedSession',
      content: body,
      yieldToEventLoop,
      trace,
    };
    return storeSession(deps, request, session, 'session.');
  };
}

/** Stores a session and returns it. Sent again under the same id, it is merged with the stored one. */
async function storeSession(deps: IngestionDeps, request: CreateRequest, input: SessionInput, path = '') {
  const { yieldToEventLoop, trace } = request;
  const { value, forStorage } = await deps.withIdempotency(request, (context) =>
    runCooperatively(acceptSessionSteps(input, context, path), yieldToEventLoop),
  );
  const { event } = value;
  await deps.appendEvents({ accepted: forStorage([value]), trace }, yieldToEventLoop);
  return { ...toWireEvent(event, { name: request.caller.projectName }), session_name: event.event_name };
}
