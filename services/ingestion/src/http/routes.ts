import {
  createEvent,
  createEventBatch,
  createSessionEventBatch,
  deleteEvent,
  deleteSession,
  exportTraces,
  startSession,
  updateEvent,
} from '@assay/contracts';
import { bind, bindRaw, type Binding } from '@assay/http';
import { makeCreateEventBatch } from '../events/create-event-batch.js';
import { makeCreateEvent } from '../events/create-event.js';
import { makeDeleteEvent } from '../events/delete-event.js';
import { makeUpdateEvent } from '../events/update-event.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeCreateSessionEventBatch } from '../sessions/create-session-event-batch.js';
import { makeDeleteSession } from '../sessions/delete-session.js';
import { makeStartSession } from '../sessions/start-session.js';
import { makeExportTraces } from '../traces/export-traces.js';
import { deprecatedIngestionRoutes } from './deprecated-routes.js';

/** The routes that ingestion answers. */
export function ingestionRoutes(deps: IngestionDeps): Binding[] {
  return [
    bind(startSession, makeStartSession(deps)),
    bind(createSessionEventBatch, makeCreateSessionEventBatch(deps)),
    bind(deleteSession, makeDeleteSession(deps)),
    bind(createEvent, makeCreateEvent(deps)),
    bind(createEventBatch, makeCreateEventBatch(deps)),
    bind(updateEvent, makeUpdateEvent(deps)),
    bind(deleteEvent, makeDeleteEvent(deps)),
    bindRaw(exportTraces, makeExportTraces(deps)),
    ...deprecatedIngestionRoutes(deps),
  ];
}
