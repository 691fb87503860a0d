import { getStatus } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeGetStatus, type StatusDeps } from './get-status.js';

export function statusRoutes(deps: StatusDeps | undefined): Binding[] {
  return deps === undefined ? [] : [bind(getStatus, makeGetStatus(deps))];
}
