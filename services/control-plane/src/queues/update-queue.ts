import type { ResponseOf, UpdateQueueRequest, updateQueue as route } from '@assay/contracts';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import type { MetricDeps } from '../metrics/metric-repository.js';
import { checkQueueMetrics } from './check-queue-metrics.js';
import { toQueueResponse, type Queue } from './queue-document.js';
import { validateFilters, type QueueDeps, QueueRepository } from './queue-repository.js';

/**
 * Replaces the given fields, then removes and adds events. An event in both lists is in the queue afterwards.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for an invalid filter or metric, `CONFLICT`
 */
export function makeUpdateQueue(deps: QueueDeps & Pick<MetricDeps, 'metrics'>) {
  return async function updateQueue(
    { params, body }: { params: { queue_id: string }; body: UpdateQueueRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const queues = new QueueRepository(deps, caller.projectId);
    const metricIds = body.metric_ids && (await checkQueueMetrics(deps, caller.projectId, body.metric_ids));
    const changes = { ...body, ...(metricIds && { metric_ids: [...metricIds] }) };
    const queue = await queues.update(params.queue_id, (before) => changedQueue(before, changes, deps.now()));
    await queues.entries.remove(queue.id, body.remove_event_ids ?? []);
    await queues.entries.addOrRestore(queue.id, body.add_event_ids ?? []);
    return { queue: toQueueResponse(queue), message: 'queue updated' };
  };
}

function changedQueue(
  before: Queue,
  { name, description, filters, enabled, annotations_per_item, metric_ids }: UpdateQueueRequest,
  now: Date,
): Queue {
  const content = {
    name: name ?? before.name,
    description: description ?? before.description,
    filters: filters ? validateFilters(filters) : before.filters,
  };
  return {
    ...before,
    ...withinSize('queue', content, before),
    enabled: enabled ?? before.enabled,
    annotations_per_item: annotations_per_item ?? before.annotations_per_item ?? 1,
    routes_from: filters || (enabled && !before.enabled) ? now.toISOString() : before.routes_from,
    ...(metric_ids !== undefined && { metric_ids }),
    updated_at: now.toISOString(),
  };
}
