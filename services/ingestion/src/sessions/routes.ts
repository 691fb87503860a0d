import {
  createSessionEventBatch,
  createSessionTraces,
  deleteSession,
  startSession,
  startWrappedSession,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeDeleteSession } from '../events/delete-event.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { makeCreateSessionEventBatch, makeCreateSessionTraces } from './create-session-events.js';
import { makeStartSession, makeStartWrappedSession } from './start-session.js';

/** Returns the routes of sessions, each followed by the deprecated route that it replaces. */
export function sessionRoutes(deps: IngestionDeps): Binding[] {
  return [
    bind(startSession, makeStartSession(deps)),
    bind(startWrappedSession, makeStartWrappedSession(deps)),
    bind(createSessionEventBatch, makeCreateSessionEventBatch(deps)),
    bind(createSessionTraces, makeCreateSessionTraces(deps)),
    bind(deleteSession, makeDeleteSession(deps)),
  ];
}
