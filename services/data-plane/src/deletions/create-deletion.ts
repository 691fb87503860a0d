import { randomUUID } from 'node:crypto';
import type { createDeletion } from '@assay/contracts';
import { acceptDateRange, acceptFilters, NEWEST_FIRST, type Filter } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { Deletion } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { actingKey } from '../shared/acting-key.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeRunInOrderOf } from '../shared/run-in-order.js';

/** How long events that arrive late are deleted. */
const LATE_MS = 30 * 86_400_000;
/** Each is a search every few minutes. */
const MAX_OPEN = 500;

/** The events of a deletion. */
type Matching = Pick<Deletion, 'from' | 'to'> & {
  readonly projectId: string;
  readonly filters: readonly Filter[];
};

/**
 * Counts the events that match, and begins to delete them unless the request is a dry run. A process that stores events does it. The
 * audit trail names the deletion before it exists. Those of a project begin one after the other.
 * @throws AppError `VALIDATION_ERROR`; `CONFLICT` while a deletion with the same filters runs, or is open for the same end of the range,
 *   and for more than 500 open deletions
 */
export function makeCreateDeletion(deps: DataPlaneDeps): Operation<typeof createDeletion> {
  const inOrderOf = makeRunInOrderOf();
  return async ({ body }, context) => {
    const { signal, caller } = context;
    const { projectId } = caller;
    const now = deps.now();
    const filters = acceptFilters(body.filters ?? [], 'strict');
    const { from = null, to } = acceptDateRange(body.dateRange, now);
    const matching = { projectId, filters, from, to: to ?? now };
    const counted = await countMatching(deps, matching, { signal, now });
    const { count, matches_all } = counted;
    if (body.dry_run === true) return { id: null, ...counted };
    if ((matches_all || body.confirm !== undefined) && body.confirm !== count)
      throw validationError(
        matches_all
          ? 'confirm must be the count of a dry run, because every event of the project matches'
          : 'confirm must be the count of a dry run',
      );
    return inOrderOf(projectId, async () => {
      requireNew(await deps.store.deletions.open(projectId), matching, to !== undefined);
      const id = randomUUID();
      await deps.controlPlane.recordDeletion({ projectId, deletionId: id, by: actingKey(context) });
      await deps.store.deletions.write(newDeletion(id, matching, now), true);
      return { id, ...counted };
    });
  };
}

async function countMatching(
  { store }: Pick<DataPlaneDeps, 'store'>,
  { projectId, filters, from, to }: Matching,
  { signal, now }: { readonly signal: AbortSignal; readonly now: number },
) {
  const count = async (query: { filters: readonly Filter[]; from?: number; to?: number }) => {
    const page = { sort: NEWEST_FIRST, limit: 1, previewChars: 0, payloadPaths: [], count: 'exact' as const };
    return (await store.events.rows(projectId, { ...page, ...query }, { signal })).count?.value ?? 0;
  };
  const range = { ...(from !== null && { from }), to };
  const ofSessions: Filter = { field: 'event_type', operator: 'is', type: 'string', value: 'session' };
  const matched = await count({ filters, ...range });
  const sessions = await count({ filters: [...filters, ofSessions], ...range });
  const isUnbounded = filters.length === 0 && from === null && to >= now;
  const matches_all = isUnbounded || (matched > 0 && matched === (await count({ filters: [] })));
  return { count: matched, sessions, matches_all };
}

/** @param hasEnd - whether the request names the end of the range, so that it selects the same events whenever it is sent */
function requireNew(open: readonly Deletion[], { filters, from, to }: Matching, hasEnd: boolean): void {
  const sent = JSON.stringify(filters);
  const same = open.find(
    (one) =>
      one.from === from &&
      JSON.stringify(one.filters) === sent &&
      (hasEnd ? one.to === to : one.state === 'running'),
  );
  if (same) throw new AppError('CONFLICT', `the deletion ${same.id} has these filters`);
  if (open.length >= MAX_OPEN)
    throw new AppError(
      'CONFLICT',
      `the project has ${MAX_OPEN} deletions that late events are compared with`,
    );
}

function newDeletion(id: string, matching: Matching, now: number): Deletion {
  return {
    ...{ id, ...matching, state: 'running', matched: 0 },
    rows: { events: 0, event_payloads: 0, event_changes: 0, evaluations: 0 },
    ...{ deleting: null, logEnd: [], isForwarded: false, createdAt: now, lateUntil: now + LATE_MS },
    ...{ deletedAt: null, erasedAt: null, verifiedAt: null, version: 1 },
  };
}
