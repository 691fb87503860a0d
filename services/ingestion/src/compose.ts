import { randomUUID } from 'node:crypto';
import type { ControlPlane } from '@assay/control-plane-client';
import type { Caller } from '@assay/domain';
import type { EventLog } from '@assay/event-log';
import type { Binding, FailedRequest } from '@assay/http';
import type { Prices } from '@assay/otlp';
import type { Metrics } from '@assay/runtime';
import { admitBindings } from './admission/admit-bindings.js';
import { startAdmission, type Admission } from './admission/admission.js';
import { makeAppendEvents } from './shared/append-events.js';
import { ingestionRoutes } from './http/routes.js';
import { makeWithIdempotency } from './idempotency/with-idempotency.js';
import { IngestLimiter } from './limits/ingest-limiter.js';
import { makeIdempotencyCache } from './idempotency/idempotency-cache.js';
import { makeRecordFailures } from './rejections/record-failures.js';
import { RejectionLog } from './rejections/rejection-log.js';
import { rejectionRoutes } from './rejections/routes.js';
import { SessionCache } from './shared/session-cache.js';
import { TraceSessions } from './traces/trace-sessions.js';

/** Capacity of each cache. An entry takes about 200 bytes, up to 500 for a request with a long key. */
const CACHE_CAPACITY = 50_000;

export interface IngestionOptions {
  readonly log: EventLog;
  /** Records for all processes which request came first under an `Idempotency-Key`. */
  readonly controlPlane: Pick<ControlPlane, 'claimRequest'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly prices: Prices;
  readonly metrics: Metrics;
  /** How far the event store may be behind before projects with more than their share are refused; 0: any time. */
  readonly maxStoreLagMs: number;
  /** Maximum size of an event in bytes of JSON; absent: 10 MB. */
  readonly maxEventBytes?: number;
  /** Called with what was appended for a project. */
  readonly onAccepted?: (projectId: string, records: number) => void;
  /** Logs a warning for operators. */
  readonly warn: (phrase: string) => void;
}

/** Routes of ingestion, and what has to be stopped before its log is closed. */
export interface Ingestion {
  readonly routes: Binding[];
  readonly admission: Admission;
  /** Returns what was sent under the limits of a caller. */
  readonly usageOf: (caller: Caller) => ReturnType<IngestLimiter['usageOf']>;
  /** To be called with failed requests, which `GET /v1/ingest/rejections` lists. */
  readonly onFailure: (failed: FailedRequest) => void;
}

/** Composes ingestion on a log. Authentication and listening are up to the process. */
export function composeIngestion(options: IngestionOptions): Ingestion {
  const { controlPlane, now, prices, warn, maxStoreLagMs, maxEventBytes } = options;
  const limiter = new IngestLimiter(options.metrics, { now, elapsed: () => performance.now() });
  const admission = startAdmission({ ...options, maxLagMs: maxStoreLagMs, limiter });
  const { log } = admission;
  const appendEvents = makeAppendEvents({ log, knownSessions: new SessionCache(CACHE_CAPACITY) });
  const traceSessions = new TraceSessions(CACHE_CAPACITY);
  const claimRequest = makeIdempotencyCache({
    maxRequests: CACHE_CAPACITY,
    now,
    claimRequest: (claim) => controlPlane.claimRequest(claim),
    onFailure: () => warn('control plane unreachable, using the local idempotency cache'),
  });
  const withIdempotency = makeWithIdempotency({ now, newId: randomUUID, claimRequest, maxEventBytes });
  const rejections = new RejectionLog(now);
  const deps = { log, appendEvents, withIdempotency, maxEventBytes, traceSessions, now, prices, rejections };
  return {
    routes: [...admitBindings(ingestionRoutes(deps), admission, limiter), ...rejectionRoutes(deps)],
    admission,
    usageOf: (caller) => limiter.usageOf(caller),
    onFailure: makeRecordFailures({ ...options, rejections }),
  };
}
