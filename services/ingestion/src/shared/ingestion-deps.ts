import type { EventLog } from '@assay/event-log';
import type { WithIdempotency } from '../idempotency/with-idempotency.js';
import type { AppendEvents } from './append-events.js';

/** Dependencies of the operations on events and sessions. */
export interface IngestionDeps {
  readonly log: Pick<EventLog, 'append'>;
  readonly appendEvents: AppendEvents;
  readonly withIdempotency: WithIdempotency;
  /** Maximum size of an event or an update in bytes of JSON; absent: that of the domain. */
  readonly maxEventBytes?: number | undefined;
}
