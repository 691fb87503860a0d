/**
 * Kinds of records on the `events` topic. The key of a record is always the event's id, so that one partition
 * orders all changes of an event. The headers are strings. The value depends on the kind:
 *
 * - `event`: a whole event, encoded as the store's row without its version (`encodeEventRow` of
 *   `@assay/event-rows`); in version 1, one JSON object
 * - `patch`: JSON of an `EventPatch`
 * - `delete`: empty
 * - `move`: JSON of a {@link Move}. Ingestion derives it from traces; clients cannot send one
 * - `evaluation`: JSON of an `EvaluationContent`. The evaluator derives it; it does not change the event
 * - `evaluation-request`: JSON of an `EvaluationRequest`, for the process that decides about the event
 */
export const RECORD_KINDS = ['event', 'patch', 'delete', 'move', 'evaluation', 'evaluation-request'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Returns whether a record changes its event or another one: evaluations do not, a score follows in a patch. */
export function changesEvents(kind: RecordKind): boolean {
  return kind !== 'evaluation' && kind !== 'evaluation-request';
}

/**
 * Version of the record format. Readers accept it and the previous one; records of a newer version become
 * dead letters.
 */
export const RECORD_VERSION = '2';
/** Versions that readers accept. In `1` the value of an `event` is JSON; nothing else differs. */
export const READ_VERSIONS = ['1', RECORD_VERSION] as const;
export type ReadVersion = (typeof READ_VERSIONS)[number];

/** Consumer group of the reader that writes the event store. Ingestion observes how far it is. */
export const STORE_GROUP = 'store';

/** Names of the headers of a record. */
export const RECORD_HEADERS = {
  /** {@link RECORD_VERSION} */
  version: 'v',
  /** One of {@link RECORD_KINDS}. */
  kind: 'kind',
  /** Id of the event's project. */
  project: 'project',
  /**
   * `1` if the server generated the event's id for this record, so that no older record can exist under it.
   */
  fresh: 'fresh',
  /** {@link EventRecord.updateId} */
  update: 'update',
  /** `traceparent` of the request that appended the record, on one record of a sampled request. Readers may ignore it. */
  trace: 'traceparent',
} as const;

/**
 * Relocation of everything that refers to the record's id: events of that session belong to the session `to`,
 * children of that parent belong to the parent `to`. The first move of an id wins.
 */
export interface Move {
  readonly to: string;
  /** Up to 10 sessions that may already contain children of the id. Absent if the id is that of a session. */
  readonly sessions?: readonly string[];
}

/** Record of the topic with an encoded value. */
export interface EventRecord {
  readonly kind: RecordKind;
  readonly projectId: string;
  readonly eventId: string;
  readonly fresh: boolean;
  /**
   * Identity of an update that clients can send twice in different requests, up to 64 characters: of records of
   * kind `patch` with the same identity only the first is applied.
   */
  readonly updateId?: string;
  readonly value: Buffer;
}

/** Record read from the topic, with the version that it was written in. */
export interface DecodedRecord extends EventRecord {
  readonly version: ReadVersion;
}
