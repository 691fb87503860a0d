import type { EventRecord } from '@assay/contracts';
import { unavailable } from '@assay/errors';
import {
  unguarded,
  type ConsumedRecord,
  type GuardedWork,
  type LogPosition,
  type RejectRecord,
} from '@assay/event-log';
import type { StatesPort, SessionsPort } from '@assay/event-store';
import { eventKey, type Freshness, positionAfter } from '@assay/log-readers';
import type { LogVersions } from '../shared/log-versions.js';
import { changedEvents, rangeOf, type ChangedEvent } from './changed-events.js';
import { makeForwardDeletes } from './forward-deletes.js';
import { makeForwardEvents, type ForwardEventsDeps } from './forward-events.js';
import { removedByMoves } from './relocated-events.js';
import type { SessionForwarder } from './session-forwarder.js';
import { touchedSessions } from './touched-sessions.js';

export interface ForwardBatchDeps extends ForwardEventsDeps {
  readonly store: { readonly states: StatesPort; readonly sessions: SessionsPort };
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  /** Absent: summaries are not forwarded. */
  readonly sessions?: Pick<SessionForwarder, 'recover' | 'forward'> | undefined;
  readonly versions: LogVersions;
}

/** Longest wait for the `store` group in one attempt; then the consumer loop backs off and retries. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns the handler of the `forward` group. It takes from the log only which events have changed, and reads what
 * they are once the `store` group has passed the batch. It forwards, in this order:
 *
 * 1. deletes;
 * 2. events that a queue takes, in their merged states, also those that its moves have relocated;
 * 3. the removal of synthesised sessions whose events have moved, and of log events that were handed over;
 * 4. summaries of all sessions that the batch may have changed, where a control plane needs them.
 *
 * When it resolves, the control plane has stored them; handling a batch again forwards the same states or newer
 * ones.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read or that the control plane does not accept,
 * `UNAVAILABLE` when the store or the control plane is unreachable or the events are not stored in time
 */
export function makeForwardBatch(deps: ForwardBatchDeps) {
  const forwardDeletes = makeForwardDeletes(deps);
  const forwardEvents = makeForwardEvents(deps);

  return async function forwardBatch(
    batch: readonly ConsumedRecord[],
    reject: RejectRecord,
    guarded: GuardedWork = unguarded,
  ): Promise<void> {
    await deps.sessions?.recover();
    const changed = changedEvents(batch, deps.versions);
    const { current } = await deps.waitUntilStored(positionAfter(batch), MAX_WAIT_MS);
    if (!current) throw unavailable('the events to forward are not stored yet');
    const sessions = deps.sessions && (await touchedSessions(changed, deps));
    const deleted = [...changed.values()].filter(isDeleted);
    const maybeSessions = await deps.store.sessions.summaries(deleted);
    await forwardDeletes(deleted, (key) => maybeSessions.has(eventKey(key)));
    await forwardEvents(changed, { reject, guarded });
    const removed = await removedByMoves(movesAmong(changed.values()), deps.store.states);
    if (removed.length > 0) await deps.controlPlane.forwardEvents(removed);
    if (sessions === undefined) return;
    for (const key of deleted) sessions.delete(eventKey(key));
    await deps.sessions?.forward([...sessions.values()], rangeOf(batch));
  };
}

function movesAmong(changed: Iterable<ChangedEvent>): EventRecord[] {
  const moves: EventRecord[] = [];
  for (const { records } of changed)
    for (const { record } of records) if (record.kind === 'move') moves.push(record);
  return moves;
}

function isDeleted({ records }: ChangedEvent): boolean {
  return records.some(({ record }) => record.kind === 'delete');
}
