import { getUsage } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeGetUsage } from './get-usage.js';

export function usageRoutes(deps: DataPlaneDeps): Binding[] {
  return [bind(getUsage, makeGetUsage(deps))];
}
