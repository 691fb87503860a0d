import { decodeRecord } from '@assay/contracts';
import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import { redactEvent, type Redaction } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { ConsumedRecord, LogPosition } from '@assay/event-log';
import type { EventKey, EventState, EventStore } from '@assay/event-store';
import { eventKey, versionOf } from '../shared/consumed-event-record.js';
import type { Freshness } from '../shared/data-plane-deps.js';
import { loadStates } from '../shared/load-states.js';

export interface ForwardBatchDeps {
  readonly store: Pick<EventStore, 'states'>;
  /** Returns the cached state of `projectId/eventId`; undefined when it is not in the cache. */
  readonly recentState: (key: string) => EventState | undefined;
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
  readonly redaction: Redaction;
  /** Raised when the number of partitions changes; part of every version. */
  readonly epoch: number;
}

/** An event that a batch changes, with the version and the time of its last record. */
interface ChangedEvent extends EventKey {
  readonly version: number;
  readonly arrivedAt: number;
}

/** Longest wait for the `store` group in one attempt; then the consumer loop backs off and retries. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns the handler of the `forward` group, which forwards the events that one batch changes. It takes from
 * the log only which events have changed and reads their merged states once the `store` group has passed the
 * batch. When it resolves, the control plane has stored them; handling a batch again forwards the same state
 * or a newer one.
 *
 * Only the result of `redactEvent` leaves the data plane. When redaction fails, the record becomes a dead
 * letter.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read or redacted, `PAYLOAD_TOO_LARGE` for
 * one that is too large, `UNAVAILABLE` when the store or the control plane is unreachable or the events are
 * not stored in time
 */
export function makeForwardBatch(deps: ForwardBatchDeps) {
  return async function forwardBatch(batch: readonly ConsumedRecord[]): Promise<void> {
    const changed = changedEvents(batch, deps.epoch);
    const { current } = await deps.waitUntilStored(positionAfter(batch), MAX_WAIT_MS);
    if (!current) throw unavailable('the events to forward are not stored yet');
    const states = await loadStates(changed, {
      store: deps.store,
      cached: (key, { version }) => ifAtLeast(version, deps.recentState(key)),
    });
    const forwarded = [...changed].flatMap(
      ([key, event]) => toForwardedEvent(event, states.get(key), deps.redaction) ?? [],
    );
    if (forwarded.length > 0) await deps.controlPlane.forwardEvents(forwarded);
  };
}

function changedEvents(batch: readonly ConsumedRecord[], epoch: number): Map<string, ChangedEvent> {
  const changed = new Map<string, ChangedEvent>();
  for (const consumed of batch) {
    const { projectId, eventId } = decodeRecord(consumed);
    const version = versionOf(epoch, consumed.offset);
    const event = { projectId, eventId, version, arrivedAt: consumed.appendedAt };
    changed.set(eventKey(event), event);
  }
  return changed;
}

/** A batch holds records of one partition. */
function positionAfter(batch: readonly ConsumedRecord[]): LogPosition {
  const last = batch.at(-1);
  return new Map(last ? [[last.partition, last.offset + 1]] : []);
}

/** A state that was cached before a rebalance can be older than the records of the batch. */
function ifAtLeast(version: number, state: EventState | undefined): EventState | undefined {
  if (!state) return undefined;
  const newest = Math.max(state.event?.version ?? -1, state.changes?.version ?? -1);
  return newest >= version ? state : undefined;
}

/**
 * Returns undefined for an event that has not arrived, whose updates wait for it, and for an event of a
 * deleted session: the session's own delete record covers it.
 */
function toForwardedEvent(
  { projectId, eventId, arrivedAt }: ChangedEvent,
  state: EventState | undefined,
  redaction: Redaction,
): ForwardedEvent | undefined {
  if (state?.changes?.deleted) return { kind: 'delete', version: state.changes.version, projectId, eventId };
  if (!state?.event) return undefined;
  const { version } = state.event;
  return { kind: 'event', version, arrivedAt, event: redactEvent(state.event, redaction) };
}
