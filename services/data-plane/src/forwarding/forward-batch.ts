import { decodeRecord } from '@assay/contracts';
import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import { redactEvent, type Redaction } from '@assay/domain';
import { AppError, isRetryable, unavailable } from '@assay/errors';
import { replayOrigin, type ConsumedRecord, type LogPosition, type RejectRecord } from '@assay/event-log';
import type { EventKey, EventState, EventStore } from '@assay/event-store';
import { eventKey, versionOf } from '../shared/consumed-event-record.js';
import type { Freshness } from '../shared/data-plane-deps.js';
import { loadStates } from '../shared/load-states.js';
import { splitBySize } from '../shared/split-by-size.js';
import { sendAccepted } from './send-accepted.js';
import { UnforwardableEvents } from './unforwardable-events.js';

export interface ForwardBatchDeps {
  readonly store: Pick<EventStore, 'states' | 'stateSizes'>;
  /** Returns the cached state of `projectId/eventId`; undefined when it is not in the cache. */
  readonly recentState: (key: string) => EventState | undefined;
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
  readonly redaction: Redaction;
  /** Raised when the number of partitions changes; part of every version. */
  readonly epoch: number;
}

/** An event that a batch changes, with its last record and the version of that. */
interface ChangedEvent extends EventKey {
  readonly version: number;
  readonly lastRecord: ConsumedRecord;
  /** Whether one of its records is replayed, so that its dead letter no longer exists. */
  readonly replayed: boolean;
}

/** Longest wait for the `store` group in one attempt; then the consumer loop backs off and retries. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns the handler of the `forward` group, which forwards the events that one batch changes. It takes from
 * the log only which events have changed and reads their merged states once the `store` group has passed the
 * batch. When it resolves, the control plane has stored them; handling a batch again forwards the same state
 * or a newer one.
 *
 * Only the result of `redactEvent` leaves the data plane. An event that cannot be redacted, or that the control
 * plane rejects because of its data, becomes a dead letter, with its last record: one letter, however many of its
 * updates follow.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read, `UNAVAILABLE` when the store or the control plane is unreachable or the events are not stored in
 * time
 */
export function makeForwardBatch(deps: ForwardBatchDeps) {
  const unforwardable = new UnforwardableEvents();
  const cached = (key: string, { version }: ChangedEvent) => ifAtLeast(version, deps.recentState(key));

  async function forwardPart(changed: ReadonlyMap<string, ChangedEvent>, reject: RejectRecord) {
    const states = await loadStates(changed, { store: deps.store, cached });
    const failed = new Map<string, string>();
    const forwarded = new Map<ForwardedEvent, string>();
    for (const [key, event] of changed) {
      const outcome = redacted(event, states.get(key), deps.redaction);
      if (outcome instanceof AppError) failed.set(key, outcome.code);
      else if (outcome) forwarded.set(outcome, key);
    }
    const rejected = await sendAccepted([...forwarded.keys()], (events) =>
      deps.controlPlane.forwardEvents(events),
    );
    for (const [event, code] of rejected) failed.set(forwarded.get(event) ?? '', code);
    for (const [key, { lastRecord, replayed }] of changed) {
      const errorClass = failed.get(key);
      if (errorClass === undefined) unforwardable.delete(key);
      else if (replayed || !unforwardable.has(key)) {
        await reject(lastRecord, errorClass);
        unforwardable.add(key);
      }
    }
  }

  return async function forwardBatch(batch: readonly ConsumedRecord[], reject: RejectRecord): Promise<void> {
    const changed = changedEvents(batch, deps.epoch);
    const { current } = await deps.waitUntilStored(positionAfter(batch), MAX_WAIT_MS);
    if (!current) throw unavailable('the events to forward are not stored yet');
    const items = [...changed];
    const toLoad = ([key, event]: [string, ChangedEvent]) => (cached(key, event) ? undefined : event);
    for (const part of await splitBySize(deps.store, { items, toLoad }))
      await forwardPart(new Map(part), reject);
  };
}

/** Returns the error when the event cannot be redacted. */
function redacted(
  event: ChangedEvent,
  state: EventState | undefined,
  redaction: Redaction,
): ForwardedEvent | AppError | undefined {
  try {
    return toForwardedEvent(event, state, redaction);
  } catch (error) {
    if (error instanceof AppError && !isRetryable(error)) return error;
    throw error;
  }
}

function changedEvents(batch: readonly ConsumedRecord[], epoch: number): Map<string, ChangedEvent> {
  const changed = new Map<string, ChangedEvent>();
  for (const consumed of batch) {
    const { projectId, eventId } = decodeRecord(consumed);
    const version = versionOf(epoch, consumed.offset);
    const key = eventKey({ projectId, eventId });
    const replayed = replayOrigin(consumed) !== undefined || changed.get(key)?.replayed === true;
    changed.set(key, { projectId, eventId, version, lastRecord: consumed, replayed });
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
  { projectId, eventId, lastRecord }: ChangedEvent,
  state: EventState | undefined,
  redaction: Redaction,
): ForwardedEvent | undefined {
  if (state?.changes?.deleted) return { kind: 'delete', version: state.changes.version, projectId, eventId };
  if (!state?.event) return undefined;
  const { version } = state.event;
  return {
    kind: 'event',
    version,
    arrivedAt: lastRecord.appendedAt,
    event: redactEvent(state.event, redaction),
  };
}
