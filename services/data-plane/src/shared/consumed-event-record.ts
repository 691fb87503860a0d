import { decodeRecord, RECORD_HEADERS, type EventRecord, type Move } from '@assay/contracts';
import type { EventPatch } from '@assay/domain';
import { replayOrigin, type ConsumedRecord } from '@assay/event-log';
import { rowFromJson } from '@assay/event-rows';
import { eventKey, STORE_GROUP } from '@assay/log-readers';
import { versionIn, type LogVersions } from './log-versions.js';

/** A decoded record of the log, with the version that it gives to what it changes. */
export interface ConsumedEventRecord {
  /** `projectId/eventId` */
  readonly key: string;
  readonly record: EventRecord;
  readonly version: number;
  /** Version of the record before it was replayed; absent when it is not replayed. */
  readonly firstVersion?: number;
  /** The content of a record of kind `patch`, once it was parsed. */
  readonly patch?: EventPatch;
  /** The record read from the log. */
  readonly source: ConsumedRecord;
}

/** All records of one event in a batch, in log order. */
export type RecordGroup = readonly [ConsumedEventRecord, ...ConsumedEventRecord[]];

/** Returns the project that a record names, also when the record cannot be decoded. */
export function projectOf({ headers }: ConsumedRecord): string | undefined {
  return headers[RECORD_HEADERS.project];
}

/**
 * Decodes a record of the log; the row of an event is brought into its current form, whichever version wrote
 * it.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read
 */
export function decodeConsumedRecord(consumed: ConsumedRecord, versions: LogVersions): ConsumedEventRecord {
  const record = currentForm(decodeRecord(consumed));
  const origin = replayOrigin(consumed);
  return {
    key: eventKey(record),
    record,
    version: versions.versionOf(consumed),
    // A letter without an epoch is older than all epochs but the first.
    firstVersion: origin && versionIn(origin.epoch ?? 0, origin.offset),
    source: consumed,
  };
}

/** Returns whether a record was replayed for another group than `store`, which has stored it already. */
export function isStoredAlready(consumed: ConsumedRecord): boolean {
  const origin = replayOrigin(consumed);
  return origin !== undefined && origin.group !== STORE_GROUP;
}

function currentForm(record: ReturnType<typeof decodeRecord>): EventRecord {
  return record.kind === 'event' && record.version === '1'
    ? { ...record, value: rowFromJson(record.value) }
    : record;
}

/** Returns the content of a record of kind `move`. */
export function readMove({ value }: EventRecord): Move {
  return JSON.parse(value.toString()) as Move;
}
