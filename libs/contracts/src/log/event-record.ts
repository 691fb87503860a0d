/**
 * What stands on the `events` topic. The key of a record is always the event's id, so that one partition orders everything that
 * happens to an event. Its headers are strings; its value depends on the kind:
 *
 * - `event`: a whole event, as the store's row without its version: see `@assay/event-store` `encodeEventRow`. Under version 1, as one JSON object
 * - `patch`: JSON of an `EventPatch`
 * - `delete`: empty
 * - `move`: JSON of a {@link Move}. Only ingestion makes it, from what traces say; no client sends one
 */
export const RECORD_KINDS = ['event', 'patch', 'delete', 'move'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Version of the record format. Readers accept this and the one before; a newer one goes to the dead letters. */
export const RECORD_VERSION = '2';
/** Versions that readers accept. Under `1` the value of an `event` is JSON; nothing else differs. */
export const READ_VERSIONS = ['1', RECORD_VERSION] as const;
export type ReadVersion = (typeof READ_VERSIONS)[number];

/** Names of the headers of a record. */
export const RECORD_HEADERS = {
  /** {@link RECORD_VERSION} */
  version: 'v',
  /** One of {@link RECORD_KINDS}. */
  kind: 'kind',
  /** Id of the project that the event belongs to. */
  project: 'project',
  /** `1` when the server made the event's id for this very record, so that nothing older can exist under it. */
  fresh: 'fresh',
} as const;

/**
 * What stands under the id of the record belongs under another id: events of that session in the session `to`, children of that parent below `to`.
 * The first move of an id counts.
 */
export interface Move {
  readonly to: string;
  /** Sessions, at most 10, that children of the id may already lie in; absent when the id is that of a session. */
  readonly sessions?: readonly string[];
}

/** One record of the topic, decoded up to its value. */
export interface EventRecord {
  readonly kind: RecordKind;
  readonly projectId: string;
  readonly eventId: string;
  readonly fresh: boolean;
  readonly value: Buffer;
}

/** A record as it is read, with the version that it was written in. */
export interface DecodedRecord extends EventRecord {
  readonly version: ReadVersion;
}
