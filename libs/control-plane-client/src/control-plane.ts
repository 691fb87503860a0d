import type { Caller, DatapointContent, Filter, RedactedEvent, ScoreRule } from '@assay/domain';

/**
 * What has become of one event, in the form in which it may leave the data plane. `version` is the place in the log of the last record that is in
 * it: of two, the one with the higher version is the newer.
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
    };

/** Names one queue. */
export interface QueueName {
  readonly projectId: string;
  readonly queueId: string;
}

/** Which events of a queue are asked for. */
export interface QueueEntryQuery extends QueueName {
  /** Only those that somebody is done with, or that nobody is; absent: all. */
  readonly isDone?: boolean;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Entries to pass over. */
  readonly offset: number;
}

/** An event's place in a queue. */
export interface QueueEntry {
  readonly eventId: string;
  /** ISO 8601. */
  readonly addedAt: string;
  readonly done: boolean;
  readonly doneAt: string | null;
}

/** The events of a queue by their ids, in the order in which they were added. */
export interface QueueEntryPage {
  readonly entries: readonly QueueEntry[];
  /** Over all pages. */
  readonly total: number;
}

/** Names an event in a queue. */
export interface QueueEventName extends QueueName {
  readonly eventId: string;
}

/** Which metrics somebody wants to score an event of a queue by. */
export interface AnnotationQuestion extends QueueEventName {
  /** At most 1,000. */
  readonly names: readonly string[];
}

/** The key by whose request the data plane acts, for the audit trail. */
export interface ActingKey {
  readonly keyId: string;
  readonly requestId: string;
  /** IP address of the client, as far as the data plane knows it. */
  readonly address: string;
  /** The data plane that says so; absent within one process. */
  readonly dataPlaneId?: string;
}

/** Whether somebody is done with an event of a queue, and who says so. */
export interface QueueCompletion extends QueueEventName {
  readonly done: boolean;
  readonly by: ActingKey;
}

/** Where datapoints go: to a project, and to the end of one of its datasets if one is named. */
export interface DatapointTarget {
  readonly projectId: string;
  readonly datasetId?: string;
  readonly by: ActingKey;
}

/** A datapoint that was made of an event, under the id that always names it. */
export interface EventDatapoint extends DatapointContent {
  readonly id: string;
}

/** A request as it was accepted: the hash of its content (SHA-256, hex), and when, Unix milliseconds. */
export interface AcceptedRequest {
  readonly content: string;
  readonly at: number;
}

/** A request that wants to be accepted under an `Idempotency-Key` of its project, of which `key` is the hash (SHA-256, hex). */
export interface RequestClaim extends AcceptedRequest {
  readonly projectId: string;
  readonly key: string;
}

/** What the data plane and ingestion ask of the control plane. Adapters: HTTP, and a direct call within one process. */
export interface ControlPlane {
  /**
   * Who this key belongs to; undefined when it is unknown, revoked or expired.
   * @throws AppError `UNAVAILABLE` when the control plane cannot be asked
   */
  authenticate(key: string): Promise<Caller | undefined>;

  /**
   * Tells what has become of events. When it resolves, the control plane has kept it durably. Told again, or told something older, it changes
   * nothing; what was deleted stays deleted. A session that is deleted takes its events with it. No events: resolves.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, tell it again; `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`: the control plane will
   * never keep one of these
   */
  forwardEvents(batch: readonly ForwardedEvent[]): Promise<void>;

  /** Undefined when the project has no such queue. @throws AppError `UNAVAILABLE` */
  queueEntries(query: QueueEntryQuery): Promise<QueueEntryPage | undefined>;

  /** The filters of a queue, all of which an event must match; undefined when the project has no such queue. @throws AppError `UNAVAILABLE` */
  queueFilters(queue: QueueName): Promise<readonly Filter[] | undefined>;

  /**
   * Adds at most 1,000 events to a queue; those that are in it stay where they are, and those that were removed by hand stay away. False when the project has no such queue.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again finishes the work
   */
  addToQueue(queue: QueueName, eventIds: readonly string[]): Promise<boolean>;

  /**
   * What scores of those metrics of these names may be that people judge, several of a name if there are; undefined when the event is not in the queue.
   * @throws AppError `UNAVAILABLE`
   */
  annotationMetrics(question: AnnotationQuestion): Promise<readonly ScoreRule[] | undefined>;

  /**
   * Says whether somebody is done with an event of a queue. Said again it changes nothing, not even the time. Undefined when the event is not in the queue.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again finishes the work
   */
  markQueueEvent(mark: QueueCompletion): Promise<QueueEntry | undefined>;

  /**
   * Keeps at most 1,000 datapoints and adds them to the dataset, in order; one that is there already stays as it is. False, with nothing kept, when the
   * project has no such dataset. Without datapoints it only tells that.
   * @throws AppError `UNAVAILABLE`: some may be kept, the same call again finishes the work; `PAYLOAD_TOO_LARGE`: one is larger than a document may be
   */
  createDatapoints(target: DatapointTarget, datapoints: readonly EventDatapoint[]): Promise<boolean>;

  /**
   * Keeps the request under its key durably, unless one was kept there within the 24 hours before `at`; tells the one that is kept. Of requests at the
   * same moment exactly one is kept. @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again tells it
   */
  claimRequest(claim: RequestClaim): Promise<AcceptedRequest>;

  /** Resolves when the control plane answers. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;
}

/** Answers the question of every request: who is this? */
export interface Authenticator {
  /**
   * As {@link ControlPlane.authenticate}, but from memory while it is fresh (30 s known, 5 s unknown; one question at a time
   * per key), and from the snapshot on disk (up to 24 h old) while the control plane cannot be asked.
   * @throws AppError `UNAVAILABLE` when neither knows
   */
  authenticate(key: string): Promise<Caller | undefined>;

  /** Writes what is pending of the snapshot. Idempotent. */
  close(): Promise<void>;
}
