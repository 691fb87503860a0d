import { createQueue, deleteQueue, getQueue, listQueues, updateQueue } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import { makeCreateQueue } from './create-queue.js';
import { makeDeleteQueue } from './delete-queue.js';
import { makeGetQueue } from './get-queue.js';
import { makeListQueues } from './list-queues.js';
import type { MetricDeps } from '../metrics/metric-repository.js';
import type { QueueDeps } from './queue-repository.js';
import { makeUpdateQueue } from './update-queue.js';

type Deps = QueueDeps & Pick<MetricDeps, 'metrics'> & { readonly bindAudited: BindAudited };

export function queueRoutes(deps: Deps): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listQueues, makeListQueues(deps)),
    bindAudited(createQueue, makeCreateQueue(deps), 'queue.created', (_, { queue }) => queue.id),
    bind(getQueue, makeGetQueue(deps)),
    bindAudited(updateQueue, makeUpdateQueue(deps), 'queue.changed', ({ params }) => params.queue_id),
    bindAudited(deleteQueue, makeDeleteQueue(deps), 'queue.deleted', ({ params }) => params.queue_id),
  ];
}
