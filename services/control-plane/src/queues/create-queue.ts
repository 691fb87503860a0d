import type { ResponseOf, CreateQueueRequest, createQueue as route } from '@assay/contracts';
import { HandlerResponse, type RequestContext } from '@assay/http';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import type { MetricDeps } from '../metrics/metric-repository.js';
import { checkQueueMetrics } from './check-queue-metrics.js';
import { toQueueResponse } from './queue-document.js';
import { validateFilters, type QueueDeps, QueueRepository } from './queue-repository.js';

type Deps = QueueDeps & Pick<MetricDeps, 'metrics'>;

/** Creates a queue, and responds with the status that the client expects. */
export function makeCreateQueue(deps: Deps) {
  const addQueue = makeAddQueue(deps);
  return async function createQueue(
    request: { body: CreateQueueRequest },
    context: OperationContext & Pick<RequestContext<unknown>, 'headers'>,
  ): Promise<ResponseOf<typeof route> | HandlerResponse<ResponseOf<typeof route>>> {
    const response = await addQueue(request, context);
    return isPythonClient(context.headers) ? new HandlerResponse(response, {}, 201) : response;
  };
}

/**
 * Creates a queue with its initial events. They are written first, so that the queue is complete as soon as
 * it is visible.
 * @throws AppError `VALIDATION_ERROR` for an invalid filter or metric, `CONFLICT` if the project has the maximum number
 * of queues
 */
export function makeAddQueue(deps: Deps) {
  return async function addQueue(
    { body }: { body: CreateQueueRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const queues = new QueueRepository(deps, caller.projectId);
    const { name, description = '', filters = { filterArray: [] }, enabled = true, event_ids = [] } = body;
    const { annotations_per_item = 1 } = body;
    const limited = withinSize('queue', { name, description, filters: validateFilters(filters) });
    const metric_ids = body.metric_ids && (await checkQueueMetrics(deps, caller.projectId, body.metric_ids));
    const fields = { ...limited, ...(metric_ids && { metric_ids }) };
    const content = { ...fields, enabled, annotations_per_item, is_active: true };
    const created_at = deps.now().toISOString();
    const times = { routes_from: created_at, created_at, updated_at: created_at };
    const id = newId();
    await queues.collection.assertQuota('queues', { is_active: true });
    await queues.entries.add(id, event_ids);
    const queue = await queues.collection.insert(id, { project_id: caller.projectId, ...content, ...times });
    return { queue: toQueueResponse(queue), message: 'queue created' };
  };
}

/** The Python client takes any status but 201 for a failure of this route. Other clients expect 200. */
function isPythonClient(headers: RequestContext<unknown>['headers']): boolean {
  return headers['hh-client-language'] === 'python';
}
