import { getUsage } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeGetUsage, type GetUsageDeps } from './get-usage.js';

/** Binds the usage of a project for a control plane that clients call directly. */
export function redactedUsageRoutes(deps: GetUsageDeps): Binding[] {
  return [bind(getUsage, makeGetUsage(deps))];
}
