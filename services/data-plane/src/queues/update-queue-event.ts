import {
  encodeRecord,
  type ResponseOf,
  type updateQueueEvent,
  type UpdateQueueEventRequest,
} from '@assay/contracts';
import type { QueueEventName } from '@assay/control-plane-client';
import {
  acceptUpdate,
  annotationNames,
  annotationUpdate,
  annotatorOfKey,
  canonicalUuid,
  checkAnnotation,
  isUuid,
  type Annotation,
  type JsonObject,
  type QueueEventState,
  type ScoreRule,
} from '@assay/domain';
import { type AppError, notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { actingKey } from '../shared/acting-key.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { leaseError } from './lease-result.js';
import { toQueueEvent } from './queue-items.js';

/**
 * Scores an event of a queue and marks it as done, skipped or open. With an annotator or a version the event is leased
 * first, so that of concurrent annotators only one writes. Then the scores are appended to the log, like every update;
 * then the control plane is notified. If that fails, the event is scored but not marked, and repeating the request
 * completes it.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a score that its metric does not allow, `CONFLICT` for a stale
 * version and for the lease of another annotator, `UNAVAILABLE`
 */
export function makeUpdateQueueEvent(deps: DataPlaneDeps): Operation<typeof updateQueueEvent> {
  return async ({ params, body }, context): Promise<ResponseOf<typeof updateQueueEvent>> => {
    const { caller, signal } = context;
    const name = { projectId: caller.projectId, queueId: params.queue_id, eventId: params.event_id };
    const status = acceptState(body);
    const annotator = body.annotator ?? annotatorOfKey(caller.keyId);
    const sent = annotationOf(body, name, annotator);
    const rules = sent?.metrics && (await checkScores(deps, name, sent.metrics, signal));
    const annotation = sent && { ...sent, rules };
    if (body.annotator !== undefined || body.version !== undefined || annotation?.note) {
      const hold = { ...name, action: 'hold', annotator, status, version: body.version } as const;
      const error = leaseError(await deps.controlPlane.leaseQueueEvent(hold, { signal }));
      if (error) throw error;
    }
    if (annotation) await append(deps, name, annotation, signal);
    const completion = { ...name, done: status === 'done', status, annotator, by: actingKey(context) };
    const entry = await deps.controlPlane.markQueueEvent(completion, { signal });
    if (!entry) throw await notInQueue(deps, name, signal);
    return toQueueEvent(entry);
  };
}

/** @throws AppError `VALIDATION_ERROR` */
function acceptState({ done, status, metrics, reason }: UpdateQueueEventRequest): QueueEventState {
  if (status === undefined && done === undefined) throw validationError('status or done is required');
  const state = status ?? (done ? 'done' : 'pending');
  if (done !== undefined && done === (state === 'pending'))
    throw validationError('done must agree with status');
  if (state === 'skipped' && metrics && Object.keys(metrics).length > 0)
    throw validationError('metrics must be absent when status is skipped');
  if (state !== 'skipped' && typeof reason === 'string')
    throw validationError('reason must be absent unless status is skipped');
  return state;
}

/** @throws AppError `VALIDATION_ERROR` for something to store with an event whose id is no UUID */
function annotationOf(
  { metrics = {}, comment, reason }: UpdateQueueEventRequest,
  { queueId, eventId }: QueueEventName,
  annotator: string,
): Annotation | undefined {
  const hasMetrics = Object.keys(metrics).length > 0;
  const hasNote = comment !== undefined || reason !== undefined;
  if (!hasMetrics && !hasNote) return undefined;
  if (!isUuid(eventId))
    throw validationError(
      `event_id must be a valid UUID when ${hasMetrics ? 'metrics are' : 'a comment or a reason is'} given`,
    );
  return {
    annotator,
    ...(hasMetrics && { metrics }),
    ...(hasNote && { note: { queueId, comment, reason } }),
  };
}

async function checkScores(
  deps: DataPlaneDeps,
  name: QueueEventName,
  metrics: JsonObject,
  signal: AbortSignal,
): Promise<readonly ScoreRule[]> {
  const named = { ...name, names: annotationNames(metrics), withOthers: true };
  const rules = await deps.controlPlane.annotationMetrics(named, { signal });
  if (!rules) throw await notInQueue(deps, name, signal);
  checkAnnotation(metrics, rules);
  return rules;
}

async function append(
  deps: DataPlaneDeps,
  { projectId, eventId }: QueueEventName,
  annotation: Annotation,
  signal: AbortSignal,
): Promise<void> {
  const key = { projectId, eventId: canonicalUuid(eventId) };
  const [flags] = (await deps.store.states.changeFlags([key], { signal })).values();
  if (flags?.deleted) throw notFound('the event was deleted');
  const value = Buffer.from(JSON.stringify(acceptUpdate({ ...annotationUpdate(annotation) })));
  await deps.log.append([encodeRecord({ kind: 'patch', ...key, fresh: false, value })]);
}

/** The control plane says the same of a missing queue and of a missing event: which of them it is, the queue tells. */
async function notInQueue(
  { controlPlane }: Pick<DataPlaneDeps, 'controlPlane'>,
  { projectId, queueId }: QueueEventName,
  signal: AbortSignal,
): Promise<AppError> {
  const queue = await controlPlane.queueEntries({ projectId, queueId, limit: 1, offset: 0 }, { signal });
  return notFound(queue ? 'the event is not in the queue' : 'queue not found');
}
