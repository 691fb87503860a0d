import type { migrate } from '@assay/contracts';
import type { EventStore } from '@assay/event-store';
import type { Operation } from '@assay/http';

/** Migrates the tables of the event store, with the rights of this process. Repeating it has no effect. */
export function makeMigrateStore({
  store,
}: {
  readonly store: Pick<EventStore, 'migrate' | 'missingMigrations'>;
}): Operation<typeof migrate> {
  return async ({ body }) => {
    const missing = await store.missingMigrations();
    if (body.dry_run === true) return { success: true, missing, applied: [] };
    await store.migrate();
    return { success: true, missing, applied: missing };
  };
}
