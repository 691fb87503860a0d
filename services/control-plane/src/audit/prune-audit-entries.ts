import type { AuditEntryCollection } from './audit-entry.js';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 1_000;
const MAX_BATCHES = 20;

/** Deletes at most 20,000 expired audit entries, oldest first, and returns their number. */
export type PruneAuditEntries = () => Promise<number>;

/** @param retentionDays retention of an entry */
export function makePruneAuditEntries(deps: {
  auditEntries: AuditEntryCollection;
  retentionDays: number;
  now: () => Date;
}): PruneAuditEntries {
  return async function pruneAuditEntries() {
    const to = new Date(deps.now().getTime() - deps.retentionDays * DAY_MS).toISOString();
    let removed = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const old = await deps.auditEntries.list({
        equals: {},
        where: [{ field: 'position', to }],
        orderBy: 'position',
        limit: BATCH_SIZE,
      });
      await deps.auditEntries.deleteAll(old.map(({ id }) => id));
      removed += old.length;
      if (old.length < BATCH_SIZE) break;
    }
    return removed;
  };
}
