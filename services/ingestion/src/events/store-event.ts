import { acceptEvent, type EventInput } from '@assay/domain';
import type { CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../ingestion-deps.js';
import { missingSessions } from '../sessions/missing-sessions.js';

/** Stores one event; its session is made when nobody sent it. `path` stands before the names of fields in errors. */
export async function storeEvent(deps: IngestionDeps, request: CreateRequest, input: EventInput, path = '') {
  const { made, asSent } = await deps.withIdempotency(request, (context) =>
    acceptEvent(input, context, path),
  );
  const { event, fresh } = made;
  const accepted = asSent([{ event, fresh }]);
  await deps.appendEvents({ accepted, synthesised: missingSessions(accepted) });
  return { success: true, event_id: event.event_id, session_id: event.session_id };
}
