import { decodeRecord } from '@assay/contracts';
import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import { redactEvent, type Redaction } from '@assay/domain';
import { AppError, isRetryable, unavailable } from '@assay/errors';
import { replayOrigin, type ConsumedRecord, type LogPosition, type RejectRecord } from '@assay/event-log';
import type { EventKey, EventState, EventStore } from '@assay/event-store';
import { eventsRelocatedBy } from '../relocation/moves.js';
import { eventKey } from '../shared/consumed-event-record.js';
import type { Freshness } from '../shared/data-plane-deps.js';
import { loadStates } from '../shared/load-states.js';
import type { LogVersions } from '../shared/log-versions.js';
import { splitBySize } from '../shared/split-by-size.js';
import { relocatedSince, removedSessions, type StoredEvent } from './relocated-events.js';
import { sendAccepted } from './send-accepted.js';
import { UnforwardableEvents } from './unforwardable-events.js';

export interface ForwardBatchDeps {
  readonly store: Pick<
    EventStore,
    'states' | 'stateSizes' | 'readChangeFlags' | 'rowLocations' | 'relocatedIds'
  >;
  /** Returns the cached state of `projectId/eventId`; undefined when it is not in the cache. */
  readonly recentState: (key: string) => EventState | undefined;
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
  readonly redaction: Redaction;
  readonly versions: LogVersions;
}

/** An event that a batch changes. */
interface ChangedEvent extends EventKey {
  /** Version of its last record; a state that is older is not forwarded. */
  readonly version: number;
  /** When its last record was appended, Unix milliseconds. */
  readonly arrivedAt: number;
  /** Its last record, which becomes the dead letter; absent when the event was only relocated. */
  readonly lastRecord?: ConsumedRecord;
  /** Whether one of its records is replayed, so that its dead letter no longer exists. */
  readonly replayed: boolean;
}

/** Every round after the first needs a relocation by another reader during the round before. */
const MAX_ROUNDS = 5;

/** Longest wait for the `store` group in one attempt; then the consumer loop backs off and retries. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns the handler of the `forward` group, which forwards the events that one batch changes. It takes from
 * the log only which events have changed and reads their merged states once the `store` group has passed the
 * batch. The events that its moves have relocated are forwarded too. When it resolves, the control plane has
 * stored them; handling a batch again forwards the same state or a newer one.
 *
 * Only the result of `redactEvent` leaves the data plane. An event that cannot be redacted, or that the control
 * plane rejects because of its data, becomes a dead letter, with its last record: one letter, however many of
 * its updates follow.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read, `UNAVAILABLE` when the store or the
 * control plane is unreachable or the events are not stored in time
 */
export function makeForwardBatch(deps: ForwardBatchDeps) {
  const cached = (key: string, { version }: ChangedEvent) => ifAtLeast(version, deps.recentState(key));
  const forwardPart = makeForwardPart(deps, cached);

  /** Forwards events in parts, and again those that another reader relocates meanwhile. */
  async function forward(events: readonly ChangedEvent[], reject: RejectRecord): Promise<void> {
    const toLoad = (event: ChangedEvent) => (cached(eventKey(event), event) ? undefined : event);
    for (const items of await splitBySize(deps.store, { items: events, toLoad })) {
      let part = items;
      for (let round = 0; round < MAX_ROUNDS && part.length > 0; round++) {
        const sent = await forwardPart(new Map(part.map((event) => [eventKey(event), event])), reject);
        const relocated = await relocatedSince(sent, deps.store);
        part = relocated.map((key) => relocatedEvent(key, items.at(-1)?.arrivedAt ?? 0));
      }
    }
  }

  return async function forwardBatch(batch: readonly ConsumedRecord[], reject: RejectRecord): Promise<void> {
    const changed = changedEvents(batch, deps.versions);
    const moves = batch.map((consumed) => decodeRecord(consumed)).filter(({ kind }) => kind === 'move');
    const { current } = await deps.waitUntilStored(positionAfter(batch), MAX_WAIT_MS);
    if (!current) throw unavailable('the events to forward are not stored yet');
    await forward([...changed.values()], reject);
    const arrivedAt = batch.at(-1)?.appendedAt ?? 0;
    for await (const keys of eventsRelocatedBy(moves, deps.store))
      await forward(
        keys.map((key) => relocatedEvent(key, arrivedAt)),
        reject,
      );
    const removed = await removedSessions(moves, deps.store);
    if (removed.length > 0) await deps.controlPlane.forwardEvents(removed);
  };
}

/** Returns the function that forwards a few events, and returns those that it has sent. */
function makeForwardPart(
  deps: ForwardBatchDeps,
  cached: (key: string, event: ChangedEvent) => EventState | undefined,
) {
  const unforwardable = new UnforwardableEvents();
  return async function forwardPart(
    changed: ReadonlyMap<string, ChangedEvent>,
    reject: RejectRecord,
  ): Promise<StoredEvent[]> {
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
      else if (lastRecord && (replayed || !unforwardable.has(key))) {
        await reject(lastRecord, errorClass);
        unforwardable.add(key);
      }
    }
    return [...forwarded.values()].flatMap((key) => (failed.has(key) ? [] : (states.get(key)?.event ?? [])));
  };
}

/** Returns an event whose present state must be read from the store, because no record of it has changed it. */
function relocatedEvent({ projectId, eventId }: EventKey, arrivedAt: number): ChangedEvent {
  return { projectId, eventId, version: Infinity, arrivedAt, replayed: false };
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

function changedEvents(batch: readonly ConsumedRecord[], versions: LogVersions): Map<string, ChangedEvent> {
  const changed = new Map<string, ChangedEvent>();
  for (const consumed of batch) {
    const { projectId, eventId } = decodeRecord(consumed);
    const version = versions.versionOf(consumed);
    const key = eventKey({ projectId, eventId });
    const replayed = replayOrigin(consumed) !== undefined || changed.get(key)?.replayed === true;
    const { appendedAt: arrivedAt } = consumed;
    changed.set(key, { projectId, eventId, version, arrivedAt, lastRecord: consumed, replayed });
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
  return {
    kind: 'event',
    version,
    arrivedAt,
    event: redactEvent(state.event, redaction),
  };
}
