import type { Caller, Filter, RedactedEvent } from '@assay/domain';

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
  | { readonly kind: 'delete'; readonly version: number; readonly projectId: string; readonly eventId: string };

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

/** The events of a queue by their ids, in the order in which they were added. */
export interface QueueEntryPage {
  readonly entries: readonly {
    readonly eventId: string;
    /** ISO 8601. */
    readonly addedAt: string;
    readonly done: boolean;
    readonly doneAt: string | null;
  }[];
  /** Over all pages. */
  readonly total: number;
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
   * Adds at most 1,000 events to a queue; those that are in it stay where they are. False when the project has no such queue.
   * @throws AppError `UNAVAILABLE`: the outcome is unknown, the same call again finishes the work
   */
  addToQueue(queue: QueueName, eventIds: readonly string[]): Promise<boolean>;

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
