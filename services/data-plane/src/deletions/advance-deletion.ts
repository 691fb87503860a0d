import { NEWEST_FIRST, type EventPosition, type Filter } from '@assay/domain';
import type { EventLog, LogPosition } from '@assay/event-log';
import type { Deletion, DeletionsPort, EventsPort } from '@assay/event-store';
import { FORWARD_GROUP, hasPassed } from '@assay/log-readers';
import { makeDeletePage } from './delete-page.js';

export interface AdvanceDeps {
  readonly store: { readonly events: EventsPort; readonly deletions: DeletionsPort };
  readonly log: Pick<EventLog, 'append' | 'end' | 'position'>;
  /** Whether deletes are forwarded to the control plane. */
  readonly isForwarding: boolean;
  /** Whether everything before this position of the log is stored; waits for it for some seconds. */
  readonly isStored: (end: LogPosition) => Promise<boolean>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A deletion in progress. */
export interface DeletionPass {
  readonly deletion: Deletion;
  /** The last event of the page before; absent at the beginning of a pass. */
  readonly after?: EventPosition;
}

const PAGE = 500;
/** By which the clocks of the processes that store events may differ. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Returns one step of a deletion: it deletes the next page of events that match, or, when none do, moves to the next state. An event is
 * deleted by a record on the log, as by its own route, so that every reader of the log sees it and nothing restores it. The store
 * says what is left to do: an interrupted pass is repeated from its beginning. After the step, `after` is set while the pass continues.
 */
export function makeAdvanceDeletion(deps: AdvanceDeps) {
  const { store, log, now } = deps;
  const save = async (deletion: Deletion, isOpen = true): Promise<DeletionPass> => {
    const saved = { ...deletion, version: deletion.version + 1 };
    await store.deletions.write(saved, isOpen);
    return { deletion: saved };
  };
  const deletePage = makeDeletePage(deps, save);

  /**
   * Nothing matches any more in a store that has everything before `end`. The forwarding reader has to pass the first such end: it may
   * always be a little behind the newest one. A log that was replaced is before the end of the former one.
   */
  async function completed(deletion: Deletion, end: LogPosition): Promise<DeletionPass> {
    const first = new Map(deletion.logEnd);
    const isKnown = first.size > 0 && hasPassed(end, first);
    const target = isKnown ? first : end;
    const isForwarded = deps.isForwarding && hasPassed(await log.position(FORWARD_GROUP), target);
    const logEnd = [...target];
    if (deps.isForwarding && !isForwarded) return isKnown ? { deletion } : save({ ...deletion, logEnd });
    return save({ ...deletion, state: 'deleted', deletedAt: now(), deleting: null, logEnd, isForwarded });
  }

  async function look(
    { deletion, after }: DeletionPass,
    filters: readonly Filter[],
  ): Promise<DeletionPass | undefined> {
    const end = await log.end();
    if (after === undefined && !(await deps.isStored(end))) return { deletion };
    const { rows, hasMore } = await store.events.rows(deletion.projectId, queryOf(deletion, filters, after));
    if (rows.length > 0) {
      const deleted = await deletePage(deletion, rows);
      return { deletion: deleted, ...(hasMore && { after: rows.at(-1)?.position }) };
    }
    if (after !== undefined) return { deletion };
    return deletion.state === 'running' ? completed(deletion, end) : undefined;
  }

  const advanceState = makeAdvanceState(deps, save);
  return async function advance(pass: DeletionPass): Promise<DeletionPass> {
    const { filters } = pass.deletion;
    const found = filters === null ? undefined : await look(pass, filters);
    return found ?? advanceState(pass.deletion);
  };
}

/**
 * Returns the step of a deletion whose events are gone from every read: it reads what the parts of the store hold, and again once the
 * engine has removed the files of replaced parts. The filters are forgotten with the time for late events.
 */
function makeAdvanceState(
  { store, now }: Pick<AdvanceDeps, 'store' | 'now'>,
  save: (deletion: Deletion, isOpen?: boolean) => Promise<DeletionPass>,
) {
  const isErased = async ({ projectId, deletedAt }: Deletion) =>
    (await store.deletions.countDeletedRows(projectId, (deletedAt ?? 0) + CLOCKS_DIFFER_MS)) === 0;
  return async function advanceState(deletion: Deletion): Promise<DeletionPass> {
    const { state, filters, erasedAt, lateUntil } = deletion;
    if (filters !== null && now() > lateUntil) {
      const { deletion: without } = await save({ ...deletion, filters: null });
      await store.deletions.forgetFormerVersions(without);
      return { deletion: without };
    }
    if (state === 'deleted')
      return (await isErased(deletion))
        ? save({ ...deletion, state: 'erased', erasedAt: now() })
        : { deletion };
    if (state === 'erased') {
      if (await store.deletions.hasFormerParts((erasedAt ?? 0) + CLOCKS_DIFFER_MS)) return { deletion };
      if (await isErased(deletion)) return save({ ...deletion, state: 'verified', verifiedAt: now() });
      return save({ ...deletion, state: 'deleted', erasedAt: null });
    }
    if (filters !== null) return { deletion };
    // A kill may have come between both the first time.
    await store.deletions.forgetFormerVersions(deletion);
    return save(deletion, false);
  };
}

function queryOf({ from, to }: Deletion, filters: readonly Filter[], after?: EventPosition) {
  return {
    ...{ filters, ...(from !== null && { from }), to, sort: NEWEST_FIRST, limit: PAGE },
    ...{ previewChars: 0, payloadPaths: [], count: 'none' as const, ...(after && { after }) },
  };
}
