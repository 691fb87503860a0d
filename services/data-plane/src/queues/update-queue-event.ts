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
import { actingKey } from '../acting-key.js';
import type { DataPlaneDeps } from '../data-plane-deps.js';

/**
 * Writes the scores that somebody gives an event of a queue, and says that they are done with it, or are not. The scores go the way of every update, and
 * come first: they are on the log before the queue is told. If that fails, the event is scored and not done, and the same request again finishes the work.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a score that its metric does not take, `UNAVAILABLE`
 */
export function makeUpdateQueueEvent(deps: DataPlaneDeps): Operation<typeof updateQueueEvent> {
  return async ({ params, body }, context): Promise<ResponseOf<typeof updateQueueEvent>> => {
    const { projectId } = context.caller;
    const place = { projectId, queueId: params.queue_id, eventId: params.event_id };
    if (body.metrics && Object.keys(body.metrics).length > 0) await score(deps, place, body.metrics);
    const entry = await deps.controlPlane.markQueueEvent({
      ...place,
      done: body.done,
      by: actingKey(context),
    });
    if (!entry) throw notInQueue();
    return { event_id: entry.eventId, added_at: entry.addedAt, done: entry.done, done_at: entry.doneAt };
  };
}

async function score(deps: DataPlaneDeps, place: QueueEventName, metrics: JsonObject): Promise<void> {
  if (!isUuid(place.eventId)) throw validationError('event_id must be a valid UUID where metrics are given');
  const rules = await deps.controlPlane.annotationMetrics({ ...place, names: annotationNames(metrics) });
  if (!rules) throw notInQueue();
  checkAnnotation(metrics, rules);
  const key = { projectId: place.projectId, eventId: canonicalUuid(place.eventId) };
  const [state] = (await deps.store.states([key])).values();
  if (state?.changes?.deleted) throw notFound('the event was deleted');
  const value = Buffer.from(JSON.stringify(acceptUpdate({ metrics })));
  await deps.log.append([encodeRecord({ kind: 'patch', ...key, fresh: false, value })]);
}

function notInQueue() {
  return notFound('the event is not in the queue');
}
