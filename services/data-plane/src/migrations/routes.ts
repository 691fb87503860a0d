import { migrate } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeMigrateStore } from './migrate-store.js';

export function migrationRoutes({ store }: Pick<DataPlaneDeps, 'store'>): Binding[] {
  return [bind(migrate, makeMigrateStore({ store }))];
}
