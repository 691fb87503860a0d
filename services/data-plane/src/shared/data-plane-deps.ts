import type { EventLog } from '@assay/event-log';
import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventStore } from '@assay/event-store';
import type { Freshness } from '../freshness/wait-until-stored.js';

/** What the operations of the data plane work with. */
export interface DataPlaneDeps {
  readonly store: EventStore;
  /** Knows which events are in a queue, and keeps datapoints. */
  readonly controlPlane: Omit<ControlPlane, 'authenticate' | 'forwardEvents' | 'claimRequest' | 'check'>;
  /** What of an event the control plane may learn. */
  readonly redaction: Redaction;
  readonly log: EventLog;
  /** Waits until everything accepted so far is stored, at most so many milliseconds. */
  readonly waitUntilStored: (maxWaitMs: number) => Promise<Freshness>;
  /** Unix milliseconds. */
  readonly now: () => number;
}
