import type { EventState } from '@assay/event-store';
import type { FoldedState } from '@assay/domain';
import type { RecordGroup } from '../shared/consumed-event-record.js';

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
  readonly fits: (folded: FoldedState) => boolean;
  /** Returns the JSON length of the state measured last; undefined when none had to be measured. */
  readonly jsonLength: () => number | undefined;
}

/**
 * Returns the size limit for the records of one event. Results are measured one by one only when the records
 * together could exceed the limit, or when there is a single record.
 */
export function sizeLimit(stored: EventState, group: RecordGroup): SizeLimit {
  if (group.length > 1 && cannotExceed(stored, group))
    return { fits: () => true, jsonLength: () => undefined };
  let measured: number | undefined;
  const fits = ({ event, changes }: FoldedState) => {
    const [eventJson, patchJson] = [JSON.stringify(event ?? null), JSON.stringify(changes?.patch ?? null)];
    if (!isWithinLimit(eventJson) || !isWithinLimit(patchJson)) return false;
    measured = eventJson.length + patchJson.length + UPDATE_ID_LENGTH * (changes?.updateIds?.length ?? 0);
    return true;
  };
  return { fits, jsonLength: () => measured };
}

/** A row holds objects as JSON; other text grows at most twice when it is escaped, or is much below the limit. */
function cannotExceed(stored: EventState, group: RecordGroup): boolean {
  const added = group.reduce((sum, { record }) => sum + 2 * record.value.length + NAMES_BYTES, 0);
  return (
    added * BYTES_PER_UNIT <= MAX_MERGED_BYTES &&
    (JSON.stringify(stored).length + added) * BYTES_PER_UNIT <= MAX_MERGED_BYTES
  );
}

function isWithinLimit(json: string): boolean {
  return json.length * BYTES_PER_UNIT <= MAX_MERGED_BYTES || Buffer.byteLength(json) <= MAX_MERGED_BYTES;
}
