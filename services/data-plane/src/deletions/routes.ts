import { createDeletion, getDeletion } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCreateDeletion } from './create-deletion.js';
import { makeGetDeletion } from './get-deletion.js';

export function deletionRoutes(deps: DataPlaneDeps): Binding[] {
  return [bind(createDeletion, makeCreateDeletion(deps)), bind(getDeletion, makeGetDeletion(deps))];
}
