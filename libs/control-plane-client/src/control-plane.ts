import type { ChartResponse, internalApi } from '@assay/contracts';
import type {
  Administrator,
  BackfillJob,
  Caller,
  DatapointContent,
  EvaluationJob,
  Filter,
  QueueEventState,
  RedactedEvent,
  RedactedSessionSummary,
  ScoreRule,
} from '@assay/domain';

/**
 * The newest state of one event or session, in the form in which it may leave the data plane. `version` is the log position of the
 * newest record in an event: of two states, the one with the higher version is the newer. `watermark` says the same of a session.
 */
export type ForwardedEvent =
  | {
      readonly kind: 'event';
      readonly version: number;
      /** When the newest record that led to this was accepted, Unix milliseconds. */
      readonly arrivedAt: number;
      readonly event: RedactedEvent;
    }
  | {
      readonly kind: 'delete';
      readonly version: number;
      readonly projectId: string;
      readonly eventId: string;
      /** Set for a synthesised session whose events were moved to another session: the events are not deleted. */
      readonly isMoved?: boolean;
      /** Ids of at most 1,000 events that were deleted with the session. */
      readonly memberIds?: readonly string[];
    }
  | ForwardedSession;

/** The newest state of one session. */
export interface ForwardedSession {
  readonly kind: 'session';
  readonly projectId: string;
  /** Decimal text of at most 40 digits; grows with every change of the session. */
  readonly watermark: string;
  /** False while the session has no event of its own, and when all its events were moved to another session. */
  readonly isListed: boolean;
  readonly summary: RedactedSessionSummary;
}

export type PersonOutcome = internalApi.PersonOutcome;
export type SignInProvider = internalApi.SignInProvider;
export type CompletedSignIn = internalApi.CompletedSignIn;
export type ReturnedCode = internalApi.ReturnedCode;
export type QueueName = internalApi.QueueName;
export type QueueEntryQuery = internalApi.QueueEntryQuery;
export type QueueEntry = internalApi.QueueEntry;
export type QueueEntryPage = internalApi.QueueEntryPage;
export type QueueCounts = internalApi.QueueCounts;
export type QueueLease = internalApi.QueueLease;
export type QueueLeaseResult = internalApi.QueueLeaseResult;
export type AnnotationQuery = internalApi.AnnotationQuery;
export type AcceptedRequest = internalApi.AcceptedRequest;
export type RequestClaim = internalApi.RequestClaim;
export type ClaimedAlert = internalApi.ClaimedAlert;
export type AlertDelivery = internalApi.AlertDelivery;
export type AlertTurn = internalApi.AlertTurn;
export type SavedAlert = internalApi.SavedAlert;
export type ProjectRetention = internalApi.ProjectRetention;
export type RetentionPage = internalApi.RetentionPage;
export type ExportedProject = internalApi.ExportedProject;
export type ExportPage = internalApi.ExportPage;
export type ExpiredEvents = internalApi.ExpiredEvents;
export type DeployedMetricsQuery = internalApi.DeployedMetricsQuery;
export type DeployedMetricsPage = internalApi.DeployedMetricsPage;
export type JobProgress = internalApi.JobProgress;
export type BackfillStart = internalApi.BackfillStart;
export type ChartName = internalApi.ChartName;
export type RunLinksPage = internalApi.RunLinksPage;
export type RunPageQuery = internalApi.RunPageQuery;
export type RunsQuery = internalApi.RunsQuery;
export type RunsWithMetrics = internalApi.RunsWithMetrics;

/** The filters of the queues of one project that take events. */
export interface ProjectFilters {
  readonly projectId: string;
  /** One list for each queue, none of them empty. */
  readonly queues: readonly (readonly Filter[])[];
}

/** Names an event in a queue. */
export interface QueueEventName extends QueueName {
  readonly eventId: string;
}

/** The key on whose request the data plane acts, for the audit trail. */
export interface ActingKey extends internalApi.ActingKey {
  /** The data plane that sent the request; absent within one process. */
  readonly dataPlaneId?: string;
}

/** Whether an event of a queue is done, and who marks it. */
export interface QueueCompletion extends QueueEventName {
  readonly done: boolean;
  /** Absent: `done` says it. */
  readonly status?: QueueEventState;
  /** Absent: the id of the key. */
  readonly annotator?: string;
  readonly by: ActingKey;
}

/** The project that datapoints are stored in, and the dataset whose end they are added to, if any. */
export interface DatapointTarget {
  readonly projectId: string;
  readonly datasetId?: string;
  readonly by: ActingKey;
}

/** A datapoint made from an event. Its id follows from the event, so storing it again adds nothing. */
export interface EventDatapoint extends DatapointContent {
  readonly id: string;
}

/** Which events to add to a queue, the process that begins, and the key on whose request. */
export interface BackfillRequest extends internalApi.BackfillRequest {
  readonly by: ActingKey;
}

/** A deletion that begins, and the key on whose request. */
export interface BegunDeletion {
  readonly projectId: string;
  readonly deletionId: string;
  readonly by: ActingKey;
}

/** Administration of a data plane that begins; `dataPlaneId` is absent within one process. */
export interface BegunAdministration extends internalApi.BegunAdministration {
  readonly dataPlaneId?: string;
}

/** Which jobs a process runs. */
export interface JobClaim extends internalApi.JobClaim {
  /** Whether the data plane that sent the request may act for the project; absent within one process. */
  readonly mayActFor?: (projectId: string) => boolean;
}

/** The models that a process can call. */
export interface ModelReport extends internalApi.ModelReport {
  /** The data plane that sent the report; absent within one process. */
  readonly dataPlaneId?: string;
}

/** Options of a call on behalf of a client. */
export interface CallOptions {
  /** Cancels the call, which then rejects with `UNAVAILABLE`; its outcome is unknown. */
  readonly signal?: AbortSignal;
}

/** What the data plane and ingestion need of the control plane. Adapters: HTTP, and a direct call within one process. */
export interface ControlPlane {
  /**
   * Returns whom this key belongs to; undefined when it is unknown, revoked or expired.
   * @throws AppError `UNAVAILABLE` when the control plane does not respond
   */
  authenticate(key: string): Promise<Caller | undefined>;

  /**
   * Returns the named administrator of this token; undefined when it is unknown, revoked or expired.
   * @throws AppError `UNAVAILABLE` when the control plane does not respond
   */
  authenticateAdministrator(token: string): Promise<Administrator | undefined>;

  /**
   * Verifies a token of the identity provider, and returns the person as the caller of a project: the one with this id, or the only one.
   * Refusals are results, neither a caller nor a refusal where no provider is configured.
   * @throws AppError `UNAVAILABLE` when the control plane does not respond
   */
  authenticatePerson(token: string, projectId: string | null): Promise<PersonOutcome>;

  /**
   * Returns where people sign in with the identity provider; undefined where they do not.
   * @throws AppError `UNAVAILABLE` when the control plane does not respond
   */
  signInProvider(): Promise<SignInProvider | undefined>;

  /**
   * Exchanges the code of a sign-in for a session, whose token {@link ControlPlane.authenticatePerson} accepts. What is wrong is a result.
   * @throws AppError `UNAVAILABLE` when the control plane does not respond: sign in again
   */
  completeSignIn(returned: ReturnedCode): Promise<CompletedSignIn>;

  /**
   * Returns the person of a session as the caller of each project, at most 200; none when the session has ended.
   * @throws AppError `UNAVAILABLE` when the control plane does not respond
   */
  projectsOfPerson(session: string): Promise<readonly Caller[]>;

  /**
   * Adds events to the queues that take them and stores the newest state of sessions, durably when it resolves. Repeated or older states of
   * a session change nothing. A deleted event leaves all queues and stays deleted. The same holds for a deleted session and its events. An
   * empty batch resolves.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, retry; `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`: the control plane will never
   * store one of these
   */
  forwardEvents(batch: readonly ForwardedEvent[]): Promise<void>;

  /**
   * Returns which of these projects, at most 1,000, have queues that take events, each with the filters of those queues: an event is taken
   * when it matches all filters of one queue. @throws AppError `UNAVAILABLE`
   */
  routingFilters(projectIds: readonly string[]): Promise<readonly ProjectFilters[]>;

  /** Lists events of a queue by their ids; undefined when the project has no such queue. @throws AppError `UNAVAILABLE` */
  queueEntries(query: QueueEntryQuery, options?: CallOptions): Promise<QueueEntryPage | undefined>;

  /** Returns the filters of a queue, all of which an event must match; undefined when there is no such queue. @throws AppError `UNAVAILABLE` */
  queueFilters(queue: QueueName, options?: CallOptions): Promise<readonly Filter[] | undefined>;

  /**
   * Adds at most 1,000 events to a queue. Events that are in it keep their position, and events that were removed by hand stay removed.
   * Returns false when the project has no such queue.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again completes the work
   */
  addToQueue(queue: QueueName, eventIds: readonly string[], options?: CallOptions): Promise<boolean>;

  /**
   * Returns which scores the metrics of these names accept from people, several of a name if there are; undefined when the event is
   * not in the queue. @throws AppError `VALIDATION_ERROR` when the definitions are too large together, `UNAVAILABLE`
   */
  annotationMetrics(query: AnnotationQuery, options?: CallOptions): Promise<readonly ScoreRule[] | undefined>;

  /**
   * Marks an event of a queue as done, skipped or open, and ends its lease. Repeated it changes nothing, not even the time. Undefined
   * when the event is not in the queue.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again completes the work
   */
  markQueueEvent(completion: QueueCompletion, options?: CallOptions): Promise<QueueEntry | undefined>;

  /**
   * Leases an event of a queue for 10 minutes, or ends its lease. `next` leases the oldest open event, each to one of concurrent callers,
   * and has no entry when none is open; `hold` leases this event in the version that the annotator has seen.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, a lease may have begun
   */
  leaseQueueEvent(lease: QueueLease, options?: CallOptions): Promise<QueueLeaseResult>;

  /**
   * Stores at most 1,000 datapoints and adds them to the dataset, in order; existing ones stay unchanged. Returns false, with nothing
   * stored, when the project has no such dataset. Without datapoints it only looks for the dataset.
   * @throws AppError `UNAVAILABLE`: some may be stored, the same call again completes the work; `PAYLOAD_TOO_LARGE`: one is larger than
   * a document may be
   */
  createDatapoints(target: DatapointTarget, datapoints: readonly EventDatapoint[]): Promise<boolean>;

  /**
   * Returns the runs of these ids that exist, at most 100, in the order of the ids, and the rules of all metrics of the project,
   * deleted ones included. Names of metrics are not unique: of several, the newest that is not deleted counts. `withoutRules` leaves
   * the rules out.
   * @throws AppError `UNAVAILABLE`
   */
  runs(query: RunsQuery): Promise<RunsWithMetrics>;

  /**
   * Returns a page of the metrics of a project that are not deleted, oldest first, each in its deployed version: about 1 MiB, but at least
   * one until the end. A metric that is created meanwhile is on a later page. The criteria of metrics of type HUMAN are empty.
   * @throws AppError `UNAVAILABLE`
   */
  deployedMetrics(query: DeployedMetricsQuery): Promise<DeployedMetricsPage>;

  /**
   * Takes the job that has waited longest, under a lease of 10 s that {@link saveJob} extends; undefined when none waits.
   * @throws AppError `UNAVAILABLE`: a job may be taken, and is free again when the lease ends
   */
  claimJob(claim: JobClaim): Promise<EvaluationJob | undefined>;

  /**
   * Creates a job that adds stored events to a queue, under a lease as that of {@link claimJob}.
   * @throws AppError `UNAVAILABLE`: a job may have been created, and {@link claimBackfill} returns it when the lease ends
   */
  startBackfill(backfill: BackfillRequest, options?: CallOptions): Promise<BackfillStart>;

  /** As {@link claimJob}, of the jobs that add events to queues. @throws AppError `UNAVAILABLE` */
  claimBackfill(claim: JobClaim): Promise<BackfillJob | undefined>;

  /**
   * Saves the progress of a job and extends the lease of the process, or ends it with `releases`. Returns whether it continues: false once it is
   * complete, and, with nothing saved, when it was stopped or deleted or another process has taken it.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again completes the work
   */
  saveJob(progress: JobProgress): Promise<boolean>;

  /**
   * Stores which models a process can call, in place of what it reported before. A report counts for 30 s: metrics that are
   * written or read meanwhile have warnings when a model cannot be called. @throws AppError `UNAVAILABLE`
   */
  reportModels(report: ModelReport): Promise<void>;

  /**
   * Returns a page of the runs of a project, by their ids: at most 100, each with the sessions that it lists, of which there are at most
   * 5,000 over all runs. @throws AppError `UNAVAILABLE`, `VALIDATION_ERROR` for an invalid date range
   */
  runLinks(query: RunPageQuery): Promise<RunLinksPage>;

  /**
   * Takes the alert that is due first, under a lease that {@link saveAlert} extends or ends; undefined when none is due.
   * @throws AppError `UNAVAILABLE`
   */
  claimAlert(claim: JobClaim): Promise<ClaimedAlert | undefined>;

  /**
   * Saves windows and attempts of an alert, and returns the messages to send now. What another definition or process has replaced
   * changes nothing. @throws AppError `UNAVAILABLE`: what was saved is unknown
   */
  saveAlert(turn: AlertTurn): Promise<SavedAlert>;

  /** Returns a chart; undefined when the project has no such chart. @throws AppError `UNAVAILABLE` */
  chart(name: ChartName): Promise<ChartResponse | undefined>;

  /**
   * Stores the request durably under its key, unless another was stored there within the 24 hours before `at`. Returns the stored
   * one. Of concurrent claims exactly one is stored. @throws AppError `UNAVAILABLE`: the outcome is unknown, retry
   */
  claimRequest(claim: RequestClaim): Promise<AcceptedRequest>;

  /**
   * Returns those of at most 1,000 projects that were deleted. A deleted project never exists again; an unknown one is not among them,
   * nor one that this data plane may not act for. @throws AppError `UNAVAILABLE`
   */
  deletedProjects(projectIds: readonly string[]): Promise<readonly string[]>;

  /**
   * Returns a page of the projects whose events expire, of those that this data plane may act for; a page may be empty before the
   * last one. @throws AppError `UNAVAILABLE`
   */
  retentions(after: string | null): Promise<RetentionPage>;

  /**
   * Returns a page of the projects whose events are exported to an object store, of those that this data plane may act for; a page may
   * be empty before the last one. @throws AppError `UNAVAILABLE`
   */
  exports(after: string | null): Promise<ExportPage>;

  /**
   * Removes events whose retention is over from all queues, and returns the ids of those that the project keeps because an existing
   * run or dataset names them; these stay. Repeating it changes nothing. @throws AppError `UNAVAILABLE`
   */
  removeExpired(expired: ExpiredEvents): Promise<readonly string[]>;

  /** Writes that a deletion begins into the audit trail. @throws AppError `UNAVAILABLE`, `NOT_FOUND` for a deleted project */
  recordDeletion(deletion: BegunDeletion): Promise<void>;

  /** Writes that an administrator begins something in the data plane into the audit trail. @throws AppError `UNAVAILABLE` */
  recordAdministration(begun: BegunAdministration): Promise<void>;

  /** Resolves when the control plane and its store respond. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;
}

/** Authenticates every request. */
export interface Authenticator {
  /**
   * As {@link ControlPlane.authenticate}, but from memory while the entry is fresh (30 s for a known key, 5 s for an unknown one; one
   * look-up at a time per key), and from the snapshot on disk (up to 24 h old) while the control plane is unreachable.
   * @throws AppError `UNAVAILABLE` when neither has the key
   */
  authenticate(key: string): Promise<Caller | undefined>;

  /**
   * As {@link ControlPlane.authenticateAdministrator}, from memory for as long as a key. Never from the snapshot: the token that the settings
   * name is for outages. @throws AppError `UNAVAILABLE` while the control plane is unreachable and the token is not in memory
   */
  authenticateAdministrator(token: string): Promise<Administrator | undefined>;

  /** As {@link ControlPlane.authenticatePerson}, from memory for as long as a key, and no longer than the token is valid. */
  authenticatePerson(token: string, projectId: string | null): Promise<PersonOutcome>;

  /** Writes pending changes of the snapshot. Idempotent. */
  close(): Promise<void>;
}
