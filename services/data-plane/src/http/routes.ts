import {
  backfillQueue,
  createDatapointBatch,
  exportEvents,
  getEvent,
  getSession,
  listDeadLetters,
  listEvents,
  listQueueEvents,
  replayDeadLetters,
  searchEvents,
  updateQueueEvent,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCreateDatapointBatch } from '../datapoints/create-datapoint-batch.js';
import { makeListDeadLetters } from '../dead-letters/dead-letters.js';
import { makeReplayDeadLetters } from '../dead-letters/replay-dead-letters.js';
import { makeExportEvents, makeListEvents } from '../events/export-events.js';
import { makeGetEvent } from '../events/get-event.js';
import { makeSearchEvents } from '../events/search-events.js';
import { makeBackfillQueue } from '../queues/backfill-queue.js';
import { makeListQueueEvents } from '../queues/list-queue-events.js';
import { makeUpdateQueueEvent } from '../queues/update-queue-event.js';
import { makeGetSession } from '../sessions/get-session.js';

/** The routes that the data plane answers itself; it passes the others on to their owners. */
export function dataPlaneRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(searchEvents, makeSearchEvents(deps)),
    bind(exportEvents, makeExportEvents(deps)),
    bind(listEvents, makeListEvents(deps)),
    bind(getEvent, makeGetEvent(deps)),
    bind(getSession, makeGetSession(deps)),
    bind(createDatapointBatch, makeCreateDatapointBatch(deps)),
    bind(listQueueEvents, makeListQueueEvents(deps)),
    bind(updateQueueEvent, makeUpdateQueueEvent(deps)),
    bind(backfillQueue, makeBackfillQueue(deps)),
    bind(listDeadLetters, makeListDeadLetters(deps)),
    bind(replayDeadLetters, makeReplayDeadLetters(deps)),
  ];
}
