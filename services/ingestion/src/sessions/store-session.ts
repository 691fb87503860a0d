import { acceptSession, toWireEvent, type SessionInput } from '@assay/domain';
import type { CreateRequest } from '../idempotency/open-acceptance.js';
import type { IngestionDeps } from '../ingestion-deps.js';

/** Stores a session and answers it whole. Sent again under the same id, it merges with what is there. */
export async function storeSession(deps: IngestionDeps, request: CreateRequest, input: SessionInput, path = '') {
  const acceptance = deps.openAcceptance(request);
  const { event, fresh } = acceptSession(input, acceptance.context, path);
  await deps.appendEvents(acceptance.settle([{ event, fresh }]), []);
  return { ...toWireEvent(event, { name: request.caller.projectName }), session_name: event.event_name };
}
