import { createBackup } from '@assay/contracts';
import type { Binding } from '@assay/http';
import { makeBindRecorded } from '../shared/bind-recorded.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCreateBackup } from './create-backup.js';

export function backupRoutes(deps: Pick<DataPlaneDeps, 'createBackup' | 'controlPlane'>): Binding[] {
  return [
    makeBindRecorded(deps)(createBackup, makeCreateBackup(deps), () => ({
      action: 'backup.started',
      subjectId: 'backup',
    })),
  ];
}
