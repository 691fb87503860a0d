import { encodeRecord } from '@assay/contracts';
import type { EventLog } from '@assay/event-log';
import type { DeletedRows, Deletion, DeletionsPort, EventRowRead } from '@assay/event-store';

export interface DeletePageDeps {
  readonly store: { readonly deletions: Pick<DeletionsPort, 'countRows'> };
  readonly log: Pick<EventLog, 'append'>;
}

/**
 * Returns a function that counts events in the deletion that they match, then deletes them. They are counted once although their records
 * may not get to the log the first time: the page that is found again begins with the same event.
 */
export function makeDeletePage(
  { store, log }: DeletePageDeps,
  save: (deletion: Deletion) => Promise<{ readonly deletion: Deletion }>,
) {
  async function count(deletion: Deletion, rows: readonly EventRowRead[], ids: readonly string[]) {
    const sessionIds = rows.flatMap(({ event }) =>
      event.event_id === event.session_id ? event.event_id : [],
    );
    const counted = await store.deletions.countRows(deletion.projectId, { eventIds: ids, sessionIds });
    const found = { matched: deletion.matched + rows.length, rows: sum(deletion.rows, counted) };
    const times = { deletedAt: null, erasedAt: null, verifiedAt: null };
    const begun = { deleting: ids[0] ?? null, state: 'running' as const, isForwarded: false, logEnd: [] };
    return save({ ...deletion, ...found, ...times, ...begun });
  }

  return async function deletePage(deletion: Deletion, rows: readonly EventRowRead[]): Promise<Deletion> {
    const { projectId } = deletion;
    const ids = rows.map(({ event }) => event.event_id);
    const isCounted = deletion.deleting !== null && deletion.deleting === ids[0];
    const { deletion: counted } = isCounted ? { deletion } : await count(deletion, rows, ids);
    const value = Buffer.alloc(0);
    await log.append(
      ids.map((eventId) => encodeRecord({ kind: 'delete', projectId, eventId, fresh: false, value })),
    );
    return counted;
  };
}

function sum(one: DeletedRows, other: DeletedRows): DeletedRows {
  return {
    events: one.events + other.events,
    event_payloads: one.event_payloads + other.event_payloads,
    event_changes: one.event_changes + other.event_changes,
    evaluations: one.evaluations + other.evaluations,
  };
}
