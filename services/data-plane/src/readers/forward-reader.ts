import { decodeRecord } from '@assay/contracts';
import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import { redactEvent, type Redaction } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventKey, EventState, EventStore } from '@assay/event-store';
import { versionOf } from './store-reader.js';

export interface ForwardReaderDeps {
  readonly store: Pick<EventStore, 'states'>;
  /** The state of `projectId/eventId` where it is known without asking the store. */
  readonly recentState: (key: string) => EventState | undefined;
  /** Resolves when the `store` group has passed all these records. @throws AppError `UNAVAILABLE` when that takes too long */
  readonly waitUntilStored: (batch: readonly ConsumedRecord[]) => Promise<void>;
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
  readonly redaction: Redaction;
  /** Raised when the number of partitions changes; part of every version. */
  readonly epoch: number;
}

/** An event that the batch says something about, with the version and the time of the last record that does. */
interface Mentioned extends EventKey {
  readonly version: number;
  readonly arrivedAt: number;
}

/**
 * Makes the handler of the `forward` group: tells the control plane what has become of the events of one batch. It takes from the log only
 * which events there are; what they are is read from the store, merged, once the `store` group has passed them. When it resolves, the control plane
 * has kept it; handled again, it tells the same or something newer.
 *
 * Nothing leaves but what `redactEvent` has made. When that fails, the record is set aside in the data plane.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read or redacted, `PAYLOAD_TOO_LARGE` for one that is too large, `UNAVAILABLE`
 * when the store or the control plane cannot be reached
 */
export function makeForwardReader(deps: ForwardReaderDeps) {
  return async function forwardBatch(batch: readonly ConsumedRecord[]): Promise<void> {
    const mentioned = mentionedIn(batch, deps.epoch);
    await deps.waitUntilStored(batch);
    const states = await statesOf(mentioned, deps);
    const told = [...mentioned].flatMap(([key, one]) => toldOf(one, states.get(key), deps.redaction) ?? []);
    if (told.length > 0) await deps.controlPlane.forwardEvents(told);
  };
}

function mentionedIn(batch: readonly ConsumedRecord[], epoch: number): Map<string, Mentioned> {
  const mentioned = new Map<string, Mentioned>();
  for (const placed of batch) {
    const { projectId, eventId } = decodeRecord(placed);
    mentioned.set(`${projectId}/${eventId}`, {
      projectId,
      eventId,
      version: versionOf(epoch, placed.offset),
      arrivedAt: placed.appendedAt,
    });
  }
  return mentioned;
}

async function statesOf(
  mentioned: ReadonlyMap<string, Mentioned>,
  deps: ForwardReaderDeps,
): Promise<Map<string, EventState>> {
  const states = new Map<string, EventState>();
  const missing: EventKey[] = [];
  for (const [key, one] of mentioned) {
    const recent = deps.recentState(key);
    if (recent && versionIn(recent) >= one.version) states.set(key, recent);
    else missing.push(one);
  }
  if (missing.length > 0) for (const [key, state] of await deps.store.states(missing)) states.set(key, state);
  return states;
}

/** Version of the last record that is in the state. What is remembered of another time, before a rebalance, is older than the record at hand. */
function versionIn({ event, changes }: EventState): number {
  return Math.max(event?.version ?? -1, changes?.version ?? -1);
}

/** Nothing for an event that has not arrived, whose updates wait for it, or that went with its session: the session's own delete says so. */
function toldOf(
  { projectId, eventId, arrivedAt }: Mentioned,
  state: EventState | undefined,
  redaction: Redaction,
): ForwardedEvent | undefined {
  if (state?.changes?.deleted) return { kind: 'delete', version: state.changes.version, projectId, eventId };
  if (!state?.event) return undefined;
  return {
    kind: 'event',
    version: state.event.version,
    arrivedAt,
    event: redactEvent(state.event, redaction),
  };
}
