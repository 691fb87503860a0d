import type { ControlPlane } from '@assay/control-plane-client';
import { mayLeaveAsId, type Redaction } from '@assay/domain';

/** The calls of operations that name resources by ids that clients send. */
type ResourceCalls = Pick<
  ControlPlane,
  | 'queueEntries'
  | 'startBackfill'
  | 'saveJob'
  | 'addToQueue'
  | 'annotationMetrics'
  | 'markQueueEvent'
  | 'leaseQueueEvent'
  | 'createDatapoints'
  | 'runs'
  | 'deployedMetrics'
  | 'runLinks'
  | 'chart'
  | 'recordDeletion'
  | 'recordAdministration'
>;

/**
 * Returns the calls with the ids of queues, events and datasets checked: with redaction, a text that is no id
 * is not sent to the control plane. There is no resource of such an id, so the result is that of an unknown
 * one.
 */
export function withCheckedIds(controlPlane: ResourceCalls, redaction: Redaction): ResourceCalls {
  const isUnknown = (...ids: readonly (string | undefined)[]) =>
    ids.some((id) => id !== undefined && !mayLeaveAsId(id, redaction));
  const nothing = () => Promise.resolve(undefined);
  const no = () => Promise.resolve(false);
  return {
    queueEntries: (query, options) =>
      isUnknown(query.queueId) ? nothing() : controlPlane.queueEntries(query, options),
    startBackfill: (backfill, options) =>
      isUnknown(backfill.queueId)
        ? Promise.resolve({ outcome: 'no_queue', job: null })
        : controlPlane.startBackfill(backfill, options),
    // The data plane has named the deletion.
    recordDeletion: (deletion) => controlPlane.recordDeletion(deletion),
    recordAdministration: ({ subjectId, ...begun }) =>
      controlPlane.recordAdministration({
        ...begun,
        subjectId: isUnknown(subjectId) ? 'redacted' : subjectId,
      }),
    // The control plane has named the job.
    saveJob: (progress) => controlPlane.saveJob(progress),
    addToQueue: (queue, eventIds, options) =>
      isUnknown(queue.queueId) ? no() : controlPlane.addToQueue(queue, eventIds, options),
    annotationMetrics: (query, options) =>
      isUnknown(query.queueId, query.eventId) ? nothing() : controlPlane.annotationMetrics(query, options),
    markQueueEvent: (completion, options) =>
      isUnknown(completion.queueId, completion.eventId)
        ? nothing()
        : controlPlane.markQueueEvent(completion, options),
    leaseQueueEvent: (lease, options) => {
      const { queueId, eventId } = lease;
      if (!isUnknown(queueId, eventId)) return controlPlane.leaseQueueEvent(lease, options);
      const outcome = isUnknown(queueId) ? 'no_queue' : 'no_event';
      return Promise.resolve({ outcome, entry: null, counts: null });
    },
    createDatapoints: (target, datapoints) =>
      isUnknown(target.datasetId) ? no() : controlPlane.createDatapoints(target, datapoints),
    deployedMetrics: (query) => controlPlane.deployedMetrics(query),
    runs: (query) => controlPlane.runs({ ...query, runIds: query.runIds.filter((id) => !isUnknown(id)) }),
    // Its filters are searched for in what the control plane holds.
    runLinks: (query) => controlPlane.runLinks(query),
    chart: (name) => (isUnknown(name.chartId) ? nothing() : controlPlane.chart(name)),
  };
}
