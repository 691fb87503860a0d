import { createBackup } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCreateBackup } from './create-backup.js';

export function backupRoutes(deps: Pick<DataPlaneDeps, 'createBackup'>): Binding[] {
  return [bind(createBackup, makeCreateBackup(deps))];
}
