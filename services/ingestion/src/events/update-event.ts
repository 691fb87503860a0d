import { encodeRecord, type updateEvent, type updateEventByBody } from '@assay/contracts';
import {
  acceptUpdateSteps,
  canonicalUuid,
  ignoredNames,
  jsonBytesSteps,
  type Caller,
  type JsonValue,
  type UpdateInput,
} from '@assay/domain';
import type { Operation } from '@assay/http';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import type { RecordedSpan } from '@assay/telemetry';
import { appendTraced } from '../shared/append-traced.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';

/** Updates the event that the path names. */
export function makeUpdateEvent(deps: IngestionDeps): Operation<typeof updateEvent> {
  return ({ params, body }, context) => appendUpdate(deps, context, params.event_id, body);
}

/** Updates the event that the body names. */
export function makeUpdateEventByBody(deps: IngestionDeps): Operation<typeof updateEventByBody> {
  return ({ body: { event_id: eventId, ...update } }, context) =>
    appendUpdate(deps, context, eventId, update);
}

interface Sender {
  readonly caller: Caller;
  readonly yieldToEventLoop: YieldToEventLoop;
  readonly trace?: RecordedSpan | undefined;
}

/**
 * Appends an update to the log. It is merged with its event, whether the event arrives before or after it. The response names
 * the values that it does not apply.
 */
async function appendUpdate(deps: IngestionDeps, sender: Sender, id: string, update: UpdateInput) {
  const { projectId } = sender.caller;
  const eventId = canonicalUuid(id);
  const accepting = acceptUpdateSteps(update, undefined, deps.maxEventBytes);
  const patch = await runCooperatively(accepting, sender.yieldToEventLoop);
  const value = await runCooperatively(jsonBytesSteps(patch as JsonValue), sender.yieldToEventLoop);
  const record = encodeRecord({ kind: 'patch', projectId, eventId, fresh: false, value });
  await appendTraced(deps.log, [record], sender.trace);
  const ignored = ignoredNames(update);
  return { success: true, event_id: eventId, ...(ignored.length > 0 && { ignored }) };
}
