import type { AuditEntryCollection } from './audit-entry.js';

const DAY_MS = 86_400_000;
const STEP = 1_000;
const MAX_STEPS_PER_RUN = 20;

/** Removes the oldest entries that are past their time, at most 20,000; returns how many. What is left is for the next call. */
export type PruneAuditEntries = () => Promise<number>;

/** @param retentionDays how long an entry is kept */
export function makePruneAuditEntries(deps: {
  auditEntries: AuditEntryCollection;
  retentionDays: number;
  now: () => Date;
}): PruneAuditEntries {
  return async function pruneAuditEntries() {
    const to = new Date(deps.now().getTime() - deps.retentionDays * DAY_MS).toISOString();
    let removed = 0;
    for (let step = 0; step < MAX_STEPS_PER_RUN; step++) {
      const old = await deps.auditEntries.list({
        equals: {},
        where: [{ field: 'position', to }],
        orderBy: 'position',
        limit: STEP,
      });
      await deps.auditEntries.deleteAll(old.map(({ id }) => id));
      removed += old.length;
      if (old.length < STEP) break;
    }
    return removed;
  };
}
