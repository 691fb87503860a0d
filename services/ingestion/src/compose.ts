import { randomUUID } from 'node:crypto';
import type { EventLog } from '@assay/event-log';
import type { Binding } from '@assay/http';
import type { PriceTable } from '@assay/otlp';
import { makeAppendEvents } from './events/append-events.js';
import { ingestionRoutes } from './http/routes.js';
import { KnownRequests } from './idempotency/known-requests.js';
import { makeOpenAcceptance } from './idempotency/open-acceptance.js';
import { KnownSessions } from './sessions/known-sessions.js';
import { TraceSessions } from './sessions/trace-sessions.js';

/** About 200 bytes each, up to 500 for a request with a long key. */
const MAX_REMEMBERED = 50_000;

/** Plugs ingestion together on a log; who calls it and how it listens is decided by the process. */
export function composeIngestion(options: { log: EventLog; now: () => number; prices: PriceTable }): { routes: Binding[] } {
  const { log, now, prices } = options;
  const appendEvents = makeAppendEvents({ log, knownSessions: new KnownSessions(MAX_REMEMBERED) });
  const traceSessions = new TraceSessions(MAX_REMEMBERED);
  const openAcceptance = makeOpenAcceptance({ now, newId: randomUUID, knownRequests: new KnownRequests(MAX_REMEMBERED, now) });
  return { routes: ingestionRoutes({ log, appendEvents, openAcceptance, traceSessions, now, newId: randomUUID, prices }) };
}
