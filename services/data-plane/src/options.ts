import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventLog } from '@assay/event-log';
import type { EventStore, MergeParts } from '@assay/event-store';
import type { StageCounts } from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import type { AlertReceivers } from './alerts/mail/mail-options.js';
import type { DeletionTimes } from './deletions/start-deletions.js';
import type { EpochRules } from './epochs/decide-epoch.js';
import type { ObjectExportRules } from './object-export/object-export-options.js';
import type { PurgeRules } from './purge/start-purge.js';
import type { CreateBackup } from './shared/data-plane-deps.js';
import type { StoreLimitRules } from './store-limit/start-store-limit.js';
import type { ProcessStatus } from './status/get-status.js';

/** `query` answers requests, `readers` stores and forwards events, `all` does both. */
export const DATA_PLANE_ROLES = ['all', 'query', 'readers'] as const;
export type DataPlaneRole = (typeof DATA_PLANE_ROLES)[number];

export interface DataPlaneOptions {
  readonly log: EventLog;
  /** How long records stay on the log, in milliseconds. */
  readonly logRetentionMs: number;
  /** Already migrated. */
  readonly store: EventStore;
  /** Merges parts of the store while little is stored; absent: the engine alone decides. */
  readonly mergeParts?: MergeParts;
  readonly controlPlane: Omit<
    ControlPlane,
    | 'authenticate'
    | 'authenticateAdministrator'
    | 'authenticatePerson'
    | 'signInProvider'
    | 'completeSignIn'
    | 'projectsOfPerson'
    | 'claimRequest'
    | 'claimJob'
    | 'reportModels'
    | 'queueFilters'
    | 'check'
  >;
  /** Projects whose queues this process fills; absent or empty: all. */
  readonly projectIds?: readonly string[];
  /** Which parts this process has; `all` by default. */
  readonly role?: DataPlaneRole;
  /** How events are forwarded to the control plane; absent: no forwarding. */
  readonly forward?: {
    /** Maximum retry backoff. */
    readonly retryMaxMs: number;
    /** Whether summaries of sessions are forwarded, besides the events of queues and deletes: not where no route reads them. */
    readonly summaries: boolean;
  };
  /** Rules for what the control plane may see of an event. */
  readonly redaction: Redaction;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
  readonly now: () => number;
  /** How long results of runs wait for what was accepted before them. */
  readonly readAfterWriteTimeoutMs: number;
  /** How the epoch of the log is determined. */
  readonly epochs: Omit<EpochRules, 'kept'>;
  /** File that keeps the epoch for the case that the store is lost. */
  readonly epochFile?: string;
  /** File beside an event store that no other process writes to, which keeps the ids of its events from one process to the next. */
  readonly knownIdsFile?: string;
  /** Called when the log or the store has been replaced while this process runs, which then has to end. */
  readonly onReplaced: (error: Error) => void;
  /** Time between two rounds of the removal of deleted projects, in milliseconds. */
  readonly deletedProjectsEveryMs: number;
  /** Time between two looks for events whose retention is over, in milliseconds; 20 s when absent. */
  readonly expiredEventsEveryMs?: number;
  /** When deletions by filters progress; the default ones when absent. */
  readonly deletionTimes?: DeletionTimes;
  /** When the values of deleted events leave the disk. */
  readonly purge: PurgeRules;
  /** Where messages of alerts may go; public webhooks when absent. */
  readonly alertReceivers?: AlertReceivers;
  /** Size beyond which the oldest events of the store are dropped; absent: no limit. */
  readonly storeLimit?: StoreLimitRules;
  /** Where events of projects are exported every hour; absent: nowhere. */
  readonly objectExport?: ObjectExportRules | undefined;
  /** What the process reports of itself, with the groups that read the log; absent: `GET /v1/status` is not served. */
  readonly status?: {
    readonly process: ProcessStatus;
    readonly groups: readonly string[];
  };
  /** Writes a backup of a single process into a folder. */
  readonly createBackup?: CreateBackup;
  /** Counts the stages by project, in a single process. */
  readonly counts?: StageCounts;
}
