import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import type { EventKey, StatesPort } from '@assay/event-store';
import type { ChangedEvent } from './changed-events.js';

export interface ForwardDeletesDeps {
  readonly store: { readonly states: StatesPort };
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
}

/** Members of one forwarded delete. */
const MEMBERS_PER_DELETE = 1_000;
/** Deletes that are sent together. */
const DELETES_PER_CALL = 500;

/**
 * Returns a function that forwards the deletes among changed events, without any content. The delete of a session
 * carries the ids of the events that were deleted with it, so that they leave the queues.
 * @param isSession whether the event with this key has rows of other events
 */
export function makeForwardDeletes({ store, controlPlane }: ForwardDeletesDeps) {
  return async function forwardDeletes(
    deleted: readonly ChangedEvent[],
    isSession: (key: EventKey) => boolean,
  ): Promise<void> {
    let batch: ForwardedEvent[] = [];
    const flush = async () => {
      if (batch.length > 0) await controlPlane.forwardEvents(batch);
      batch = [];
    };
    for (const { projectId, eventId, version } of deleted) {
      const plain = { kind: 'delete', version, projectId, eventId } as const;
      if (isSession({ projectId, eventId })) {
        for await (const memberIds of membersOf(store, { projectId, eventId })) {
          batch.push({ ...plain, memberIds });
          await flush();
        }
      } else batch.push(plain);
      if (batch.length >= DELETES_PER_CALL) await flush();
    }
    await flush();
  };
}

/** Yields the events of a deleted session in pages, at least one page. */
async function* membersOf(
  store: ForwardDeletesDeps['store'],
  session: EventKey,
): AsyncGenerator<readonly string[]> {
  let after: string | undefined;
  do {
    const { eventIds, next } = await store.states.sessionMembers(session, {
      after,
      limit: MEMBERS_PER_DELETE,
    });
    yield eventIds.filter((id) => id !== session.eventId);
    after = next;
  } while (after !== undefined);
}
