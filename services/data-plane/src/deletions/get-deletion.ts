import type { DeletionReceipt, getDeletion } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { Deletion } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { hasPassed } from '@assay/log-readers';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** The log removes whole segments, so it is late by at most an eighth of its time. */
const RETENTION_SHARE = 9 / 8;

/** Of every deletion: nothing here depends on its events. */
const KEPT = [
  'event store: ids, start and time of the delete of each event, so that no delivery restores it',
  'deletion: its filters until late_until, so that late events are found',
  'log: records until log.gone; dead letters: as long, or until they are deleted',
  'control plane: ids of sessions that runs name',
  'datapoints that were made from events: until they are deleted',
  'backups and exports: until you delete them',
];

/** Returns the receipt of a deletion. @throws AppError `NOT_FOUND` */
export function makeGetDeletion(deps: DataPlaneDeps): Operation<typeof getDeletion> {
  return async ({ params }, { caller }) => {
    const deletion = await deps.store.deletions.read(caller.projectId, params.deletion_id);
    if (!deletion) throw notFound('deletion not found');
    return { deletion: { ...receiptOf(deletion), log: await logOf(deps, deletion) } };
  };
}

function receiptOf(deletion: Deletion): Omit<DeletionReceipt, 'log'> {
  const { id, state, matched, rows, isForwarded } = deletion;
  const { events, event_payloads, event_changes, evaluations } = rows;
  return {
    ...{ id, state, from: isoTime(deletion.from), to: time(deletion.to), matched },
    rows: { events, event_payloads, event_changes, evaluations },
    control_plane: isForwarded,
    kept: KEPT,
    created_at: time(deletion.createdAt),
    late_until: time(deletion.lateUntil),
    deleted_at: isoTime(deletion.deletedAt),
    erased_at: isoTime(deletion.erasedAt),
    verified_at: isoTime(deletion.verifiedAt),
  };
}

async function logOf(
  { log, logRetentionMs }: Pick<DataPlaneDeps, 'log' | 'logRetentionMs'>,
  { deletedAt, logEnd }: Deletion,
): Promise<DeletionReceipt['log']> {
  const positions = logEnd.map(([partition, position]) => ({ partition, position }));
  if (deletedAt === null) return { positions: [], gone_after: null, gone: false };
  return {
    positions,
    gone_after: time(deletedAt + logRetentionMs * RETENTION_SHARE),
    gone: hasPassed(await log.retainedFrom(), new Map(logEnd)),
  };
}

function isoTime(at: number | null): string | null {
  return at === null ? null : time(at);
}

function time(at: number): string {
  return new Date(at).toISOString();
}
