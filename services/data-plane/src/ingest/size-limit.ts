import type { EventState, StoredPayload } from '@assay/event-store';
import { jsonPiecesSteps, type FoldedState, type JsonValue, type Steps } from '@assay/domain';
import type { RecordGroup } from '../shared/consumed-event-record.js';
import { EMPTY_PAYLOAD_BYTES, withEmptyPayload } from './narrow-update.js';

/** Maximum size of a merged event, and of its merged updates, in bytes of JSON. */
export const MAX_MERGED_BYTES = 16 * 1024 * 1024;

/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT = 3;
/** Allowance for the field names of an event, which its row does not contain. */
const NAMES_BYTES = 4_096;

/** Length of the identity of an update in JSON. */
const UPDATE_ID_LENGTH = 19;

/** Measures the results of a fold. */
export interface SizeLimit {
  /** Returns whether the event and its updates are small enough to be stored. */
  readonly fits: (folded: FoldedState) => Steps<boolean>;
  /** Returns the JSON length of the state measured last; undefined when none had to be measured. */
  readonly jsonLength: () => number | undefined;
}

/** What is measured: the stored state, and its payload when the records leave that unchanged. */
export interface MeasuredState {
  readonly stored: EventState;
  readonly kept?: StoredPayload;
}

/**
 * Returns the size limit for the records of one event. Results are measured one by one only when the records
 * together could exceed the limit, or when there is a single record. A kept payload is not measured again: its
 * stored size counts.
 */
export function sizeLimit(state: MeasuredState, group: RecordGroup): SizeLimit {
  if (group.length > 1 && cannotExceed(state, group)) return { fits: anyFits, jsonLength: () => undefined };
  const { stored, kept } = state;
  const inMemory = stored.withoutPayload ? 0 : (kept?.bytes ?? 0);
  let measured: number | undefined;
  function* fits({ event, changes }: FoldedState): Steps<boolean> {
    const eventLength = yield* lengthWithinLimit(measuredEvent(event, kept), keptBytes(kept));
    const patchLength = yield* lengthWithinLimit(changes?.patch ?? null);
    if (eventLength === undefined || patchLength === undefined) return false;
    const idsLength = UPDATE_ID_LENGTH * (changes?.updateIds?.length ?? 0);
    measured = eventLength + inMemory + patchLength + idsLength;
    return true;
  }
  return { fits, jsonLength: () => measured };
}

function* anyFits(): Steps<boolean> {
  return true;
}

/** A row holds objects as JSON; other text grows at most twice when it is escaped, or is much below the limit. */
function cannotExceed({ stored, kept }: MeasuredState, group: RecordGroup): boolean {
  const added = group.reduce((sum, { record }) => sum + 2 * record.value.length + NAMES_BYTES, 0);
  if (added * BYTES_PER_UNIT > MAX_MERGED_BYTES) return false;
  const length =
    JSON.stringify(measuredEvent(stored.event, kept)).length + JSON.stringify(stored.changes ?? null).length;
  return (length + keptBytes(kept) + added) * BYTES_PER_UNIT <= MAX_MERGED_BYTES;
}

function measuredEvent(event: FoldedState['event'], kept: StoredPayload | undefined) {
  return (kept && event ? withEmptyPayload(event) : event) ?? null;
}

function keptBytes(kept: StoredPayload | undefined): number {
  return kept ? kept.bytes - EMPTY_PAYLOAD_BYTES : 0;
}

/** Returns the length of the JSON of a value; undefined when its bytes and others are above the limit. */
function* lengthWithinLimit(value: object | null, otherBytes = 0): Steps<number | undefined> {
  const pieces: string[] = [];
  yield* jsonPiecesSteps(value as JsonValue, (piece) => pieces.push(piece));
  const room = MAX_MERGED_BYTES - otherBytes;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length * BYTES_PER_UNIT <= room) return length;
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  return bytes <= room ? length : undefined;
}
