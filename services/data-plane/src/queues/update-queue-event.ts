import { encodeRecord, type ResponseOf, type updateQueueEvent } from '@assay/contracts';
import type { QueueEventName } from '@assay/control-plane-client';
import {
  acceptUpdate,
  annotationNames,
  canonicalUuid,
  checkAnnotation,
  isUuid,
  type JsonObject,
} from '@assay/domain';
import { notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { actingKey } from '../shared/acting-key.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/**
 * Scores an event of a queue and marks it as done or open. The scores are appended to the log first, like
 * every update; then the control plane is notified. If that fails, the event is scored but not marked, and
 * repeating the request completes it.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a score that its metric does not allow, `UNAVAILABLE`
 */
export function makeUpdateQueueEvent(deps: DataPlaneDeps): Operation<typeof updateQueueEvent> {
  return async ({ params, body }, context): Promise<ResponseOf<typeof updateQueueEvent>> => {
    const { projectId } = context.caller;
    const name = { projectId, queueId: params.queue_id, eventId: params.event_id };
    if (body.metrics && Object.keys(body.metrics).length > 0)
      await score(deps, name, body.metrics, context.signal);
    const completion = { ...name, done: body.done, by: actingKey(context) };
    const entry = await deps.controlPlane.markQueueEvent(completion, { signal: context.signal });
    if (!entry) throw notInQueue();
    return { event_id: entry.eventId, added_at: entry.addedAt, done: entry.done, done_at: entry.doneAt };
  };
}

async function score(
  deps: DataPlaneDeps,
  name: QueueEventName,
  metrics: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  if (!isUuid(name.eventId)) throw validationError('event_id must be a valid UUID when metrics are given');
  const named = { ...name, names: annotationNames(metrics) };
  const rules = await deps.controlPlane.annotationMetrics(named, { signal });
  if (!rules) throw notInQueue();
  checkAnnotation(metrics, rules);
  const key = { projectId: name.projectId, eventId: canonicalUuid(name.eventId) };
  const [state] = (await deps.store.states([key], { signal })).values();
  if (state?.changes?.deleted) throw notFound('the event was deleted');
  const value = Buffer.from(JSON.stringify(acceptUpdate({ metrics })));
  await deps.log.append([encodeRecord({ kind: 'patch', ...key, fresh: false, value })]);
}

function notInQueue() {
  return notFound('the event is not in the queue');
}
