import { encodeRecord, type deleteEvent, type deleteSession } from '@assay/contracts';
import { canonicalUuid, type Caller } from '@assay/domain';
import type { Operation } from '@assay/http';
import type { RecordedSpan } from '@assay/telemetry';
import { appendTraced } from '../shared/append-traced.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/** Deletes an event. Deleting the event of a session deletes the whole session. */
export function makeDeleteEvent(deps: IngestionDeps): Operation<typeof deleteEvent> {
  return ({ params }, sender) => appendDelete(deps, sender, params.event_id);
}

/** Deletes a session with all its events. */
export function makeDeleteSession(deps: IngestionDeps): Operation<typeof deleteSession> {
  return ({ params }, sender) => appendDelete(deps, sender, params.session_id);
}

interface Sender {
  readonly caller: Caller;
  readonly trace?: RecordedSpan | undefined;
}

/**
 * Appends a delete to the log. A deleted event stays deleted, even if it is sent again. The id of a session's
 * event deletes all events of the session, including those that arrive later.
 */
async function appendDelete(deps: IngestionDeps, { caller, trace }: Sender, id: string) {
  const { projectId } = caller;
  const eventId = canonicalUuid(id);
  const value = Buffer.alloc(0);
  const record = encodeRecord({ kind: 'delete', projectId, eventId, fresh: false, value });
  await appendTraced(deps.log, [record], trace);
  return { success: true, deleted: eventId };
}
