import {
  createEvent,
  createEventBatch,
  createLenientEventBatch,
  createModelEvent,
  createModelEventBatch,
  createWrappedEvent,
  deleteEvent,
  updateEvent,
  updateEventByBody,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import {
  makeCreateEventBatch,
  makeCreateLenientEventBatch,
  makeCreateModelEventBatch,
} from './create-event-batch.js';
import { makeCreateEvent, makeCreateModelEvent, makeCreateWrappedEvent } from './create-event.js';
import { makeDeleteEvent } from './delete-event.js';
import { makeUpdateEvent, makeUpdateEventByBody } from './update-event.js';

/** Returns the routes of events, each followed by the deprecated routes that it replaces. */
export function eventRoutes(deps: IngestionDeps): Binding[] {
  return [
    bind(createEvent, makeCreateEvent(deps)),
    bind(createWrappedEvent, makeCreateWrappedEvent(deps)),
    bind(createModelEvent, makeCreateModelEvent(deps)),
    bind(createEventBatch, makeCreateEventBatch(deps)),
    bind(createLenientEventBatch, makeCreateLenientEventBatch(deps)),
    bind(createModelEventBatch, makeCreateModelEventBatch(deps)),
    bind(updateEvent, makeUpdateEvent(deps)),
    bind(updateEventByBody, makeUpdateEventByBody(deps)),
    bind(deleteEvent, makeDeleteEvent(deps)),
  ];
}
