import { migrate } from '@assay/contracts';
import type { Binding } from '@assay/http';
import { makeBindRecorded } from '../shared/bind-recorded.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeMigrateStore } from './migrate-store.js';

export function migrationRoutes(deps: Pick<DataPlaneDeps, 'store' | 'controlPlane'>): Binding[] {
  return [
    makeBindRecorded(deps)(migrate, makeMigrateStore(deps), ({ body }) =>
      body.dry_run === true ? undefined : { action: 'store.migration_started', subjectId: 'event-store' },
    ),
  ];
}
