import {
  createLenientEventBatch,
  createModelEvent,
  createModelEventBatch,
  createSessionTraces,
  createWrappedEvent,
  startWrappedSession,
  updateEventByBody,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import {
  makeCreateLenientEventBatch,
  makeCreateModelEventBatch,
} from '../events/create-lenient-event-batch.js';
import { makeCreateModelEvent } from '../events/create-model-event.js';
import { makeCreateWrappedEvent } from '../events/create-wrapped-event.js';
import { makeUpdateEventByBody } from '../events/update-event-by-body.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeCreateSessionTraces } from '../sessions/create-session-events.js';
import { makeStartWrappedSession } from '../sessions/start-wrapped-session.js';

/** The routes that ingestion answers for older clients. */
export function deprecatedIngestionRoutes(deps: IngestionDeps): Binding[] {
  return [
    bind(startWrappedSession, makeStartWrappedSession(deps)),
    bind(createSessionTraces, makeCreateSessionTraces(deps)),
    bind(createWrappedEvent, makeCreateWrappedEvent(deps)),
    bind(updateEventByBody, makeUpdateEventByBody(deps)),
    bind(createLenientEventBatch, makeCreateLenientEventBatch(deps)),
    bind(createModelEvent, makeCreateModelEvent(deps)),
    bind(createModelEventBatch, makeCreateModelEventBatch(deps)),
  ];
}
