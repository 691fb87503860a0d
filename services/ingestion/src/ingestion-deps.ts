import type { EventLog } from '@assay/event-log';
import type { PriceTable } from '@assay/otlp';
import type { AppendEvents } from './events/append-events.js';
import type { WithIdempotency } from './idempotency/with-idempotency.js';
import type { TraceSessions } from './sessions/trace-sessions.js';

/** What the operations of ingestion work with. */
export interface IngestionDeps {
  readonly log: Pick<EventLog, 'append'>;
  readonly appendEvents: AppendEvents;
  readonly withIdempotency: WithIdempotency;
  readonly traceSessions: TraceSessions;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A random UUID (version 4). */
  readonly newId: () => string;
  /** Estimates the cost of model calls that report none. */
  readonly prices: PriceTable;
}
