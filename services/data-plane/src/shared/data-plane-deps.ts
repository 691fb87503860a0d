import type { EventLog } from '@assay/event-log';
import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventKey, EventStore } from '@assay/event-store';
import type { Freshness } from '@assay/log-readers';
import type { RunInOrder } from './run-in-order.js';
import type { WaitingReads } from './waiting-reads.js';

/**
 * Writes a backup of all stores into a folder, an absolute path.
 * @throws AppError `VALIDATION_ERROR` for a folder that cannot be written, `CONFLICT` for one that exists and during another backup,
 * `INSUFFICIENT_STORAGE`, `UNAVAILABLE`
 */
export type CreateBackup = (directory: string) => Promise<{ readonly files: number; readonly bytes: number }>;

/** Dependencies of the data plane's operations. */
export interface DataPlaneDeps {
  readonly store: EventStore;
  /** Holds queues and datapoints. */
  readonly controlPlane: Omit<
    ControlPlane,
    | 'authenticate'
    | 'authenticateAdministrator'
    | 'authenticatePerson'
    | 'signInProvider'
    | 'completeSignIn'
    | 'projectsOfPerson'
    | 'forwardEvents'
    | 'routingFilters'
    | 'claimRequest'
    | 'deletedProjects'
    | 'retentions'
    | 'exports'
    | 'removeExpired'
    | 'queueFilters'
    | 'claimJob'
    | 'reportModels'
    | 'claimAlert'
    | 'saveAlert'
    | 'claimBackfill'
    | 'check'
  >;
  /** Rules for what the control plane may see of an event. */
  readonly redaction: Redaction;
  readonly log: EventLog;
  /** How long records stay on the log, in milliseconds. */
  readonly logRetentionMs: number;
  /** Runs changes of dead letters one after the other. */
  readonly inOrder: RunInOrder;
  /** Waits until everything accepted so far is stored, at most this many milliseconds. */
  readonly waitUntilStored: (maxWaitMs: number) => Promise<Freshness>;
  /**
   * Waits until the evaluators have decided about everything accepted so far, at most this many milliseconds. Without an
   * evaluator, resolves immediately as current.
   */
  readonly waitUntilDecided: (maxWaitMs: number) => Promise<Freshness>;
  /** How long reads of runs, and of an id that is not stored yet, wait at most, without a preference of the client. */
  readonly readAfterWriteTimeoutMs: number;
  /** The reads by id that wait. */
  readonly waitingReads: WaitingReads;
  /** Forwards summaries of sessions to the control plane; absent: this process does not forward. */
  readonly forwardSummaries?: (keys: readonly EventKey[]) => Promise<unknown>;
  /** Writes a backup of the process into a folder; absent: this process does not have all stores. */
  readonly createBackup?: CreateBackup;
  /** Unix milliseconds. */
  readonly now: () => number;
}
