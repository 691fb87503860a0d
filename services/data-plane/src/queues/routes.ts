import {
  backfillQueue,
  getQueueStatistics,
  listQueueEvents,
  nextQueueEvent,
  releaseQueueEvent,
  updateQueueEvent,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeBackfillQueue } from './backfill-queue.js';
import { makeGetQueueStatistics } from './get-queue-statistics.js';
import { makeListQueueEvents } from './list-queue-events.js';
import { makeNextQueueEvent } from './next-queue-event.js';
import { makeReleaseQueueEvent } from './release-queue-event.js';
import { makeUpdateQueueEvent } from './update-queue-event.js';

export function queueRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(listQueueEvents, makeListQueueEvents(deps)),
    bind(updateQueueEvent, makeUpdateQueueEvent(deps)),
    bind(getQueueStatistics, makeGetQueueStatistics(deps)),
    bind(nextQueueEvent, makeNextQueueEvent(deps)),
    bind(releaseQueueEvent, makeReleaseQueueEvent(deps)),
    bind(backfillQueue, makeBackfillQueue(deps)),
  ];
}
