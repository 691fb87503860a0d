import { acceptSession, toWireEvent, type SessionInput } from '@assay/domain';
import type { CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../ingestion-deps.js';

/** Stores a session and answers it whole. Sent again under the same id, it merges with what is there. */
export async function storeSession(
  deps: IngestionDeps,
  request: CreateRequest,
  input: SessionInput,
  path = '',
) {
  const { made, asSent } = await deps.withIdempotency(request, (context) =>
    acceptSession(input, context, path),
  );
  const { event, fresh } = made;
  await deps.appendEvents({ accepted: asSent([{ event, fresh }]) });
  return { ...toWireEvent(event, { name: request.caller.projectName }), session_name: event.event_name };
}
