import { acceptBatch, type BatchInput } from '@assay/domain';
import type { CreateRequest } from '../idempotency/with-idempotency.js';
import type { IngestionDeps } from '../ingestion-deps.js';
import { missingSessions } from '../sessions/missing-sessions.js';

/** Stores several events, all or none, with the session that the client describes or the sessions that they lack. */
export async function storeBatch(deps: IngestionDeps, request: CreateRequest, input: BatchInput) {
  const { made: batch, asSent } = await deps.withIdempotency(request, (context) =>
    acceptBatch(input, context),
  );
  const accepted = asSent(batch.session ? [batch.session, ...batch.events] : batch.events);
  await deps.appendEvents({ accepted, synthesised: missingSessions(accepted) }, request.yieldToEventLoop);
  return {
    success: true,
    event_ids: batch.events.map(({ event }) => event.event_id),
    session_id: batch.sessionId,
  };
}
