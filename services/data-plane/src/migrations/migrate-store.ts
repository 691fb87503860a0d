import type { migrate } from '@assay/contracts';
import type { AdministrationPort } from '@assay/event-store';
import type { Operation } from '@assay/http';

/** Migrates the tables of the event store, with the rights of this process. Repeating it has no effect. */
export function makeMigrateStore({
  store,
}: {
  readonly store: { readonly administration: AdministrationPort };
}): Operation<typeof migrate> {
  return async ({ body }) => {
    const missing = await store.administration.missingMigrations();
    if (body.dry_run === true) return { success: true, missing, applied: [] };
    await store.administration.migrate();
    return { success: true, missing, applied: missing };
  };
}
