import { parseExactJson, PAYLOAD_FIELDS, type Event, type EventPatch } from '@assay/domain';
import type { EventState, StateKey, StoredPayload } from '@assay/event-store';
import type { ConsumedEventRecord, RecordGroup } from '../shared/consumed-event-record.js';

/** Returns the record with its content, so that a patch is parsed once. @throws SyntaxError */
export function withPatch(consumed: ConsumedEventRecord): ConsumedEventRecord {
  return consumed.record.kind === 'patch' ? { ...consumed, patch: patchOf(consumed) } : consumed;
}

/** Returns the content of a record of kind `patch`. @throws SyntaxError */
export function patchOf({ record, patch }: ConsumedEventRecord): EventPatch {
  return patch ?? (parseExactJson(record.value.toString()) as EventPatch);
}

/** Returns which state the records of an event need: without its payload when none of them reads or changes it. */
export function stateKeyOf(group: RecordGroup): StateKey {
  const [{ record }] = group;
  const { projectId, eventId } = record;
  return { projectId, eventId, withoutPayload: group.every(leavesPayload) };
}

/**
 * Returns the stored payload when the records of an event leave it unchanged and it can stay as it is stored. The
 * changes can hold an update that the row lacks, after a crash between the two writes.
 */
export function keptPayload(stored: EventState, group: RecordGroup): StoredPayload | undefined {
  const isSettled = (stored.changes?.version ?? -1) <= (stored.event?.version ?? -1);
  return isSettled && group.every(leavesPayload) ? stored.payload : undefined;
}

/** Returns the event with empty objects as its payload. */
export function withEmptyPayload<E extends Event>(event: E): E {
  return { ...event, ...emptyPayload() };
}

/** Bytes of the payload of {@link withEmptyPayload} as JSON. */
export const EMPTY_PAYLOAD_BYTES = 2 * PAYLOAD_FIELDS.length;

function emptyPayload() {
  return { inputs: {}, outputs: {}, config: {} } satisfies Pick<Event, (typeof PAYLOAD_FIELDS)[number]>;
}

/** Fields of an update that change the payload, or move it: its row has the sort key of the event, which begins with the start. */
const WITH_PAYLOAD = [...PAYLOAD_FIELDS, 'start_time'] as const;

function leavesPayload({ record, patch }: ConsumedEventRecord): boolean {
  if (record.kind === 'delete') return true;
  return patch !== undefined && !WITH_PAYLOAD.some((name) => name in patch);
}
