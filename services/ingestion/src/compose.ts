import { randomUUID } from 'node:crypto';
import type { ControlPlane } from '@assay/control-plane-client';
import type { EventLog } from '@assay/event-log';
import type { Binding } from '@assay/http';
import type { PriceTable } from '@assay/otlp';
import { makeAppendEvents } from './events/append-events.js';
import { ingestionRoutes } from './http/routes.js';
import { makeWithIdempotency } from './idempotency/with-idempotency.js';
import { makeIdempotencyCache } from './idempotency/idempotency-cache.js';
import { SessionCache } from './sessions/session-cache.js';
import { TraceSessions } from './sessions/trace-sessions.js';

/** About 200 bytes each, up to 500 for a request with a long key. */
const MAX_REMEMBERED = 50_000;

export interface IngestionOptions {
  readonly log: EventLog;
  /** Knows for all processes which request came first under an `Idempotency-Key`. */
  readonly controlPlane: Pick<ControlPlane, 'claimRequest'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly prices: PriceTable;
  /** Hears what an operator should know. */
  readonly warn: (phrase: string) => void;
}

/** Plugs ingestion together on a log; who calls it and how it listens is decided by the process. */
export function composeIngestion({ log, controlPlane, now, prices, warn }: IngestionOptions): {
  routes: Binding[];
} {
  const appendEvents = makeAppendEvents({ log, knownSessions: new SessionCache(MAX_REMEMBERED) });
  const traceSessions = new TraceSessions(MAX_REMEMBERED);
  const claimRequest = makeIdempotencyCache({
    maxRequests: MAX_REMEMBERED,
    now,
    claimRequest: (claim) => controlPlane.claimRequest(claim),
    onFailure: () =>
      warn('the control plane cannot be asked for idempotency keys: this process decides by itself'),
  });
  const withIdempotency = makeWithIdempotency({ now, newId: randomUUID, claimRequest });
  return {
    routes: ingestionRoutes({
      log,
      appendEvents,
      withIdempotency,
      traceSessions,
      now,
      newId: randomUUID,
      prices,
    }),
  };
}
