import * as routes from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { ControlPlaneParts } from '../compose.js';
import { resourceBindings } from './resource-routes.js';

/** The public routes that the control plane answers. */
export function controlPlaneBindings({
  operations,
  bindAudited,
}: Pick<ControlPlaneParts, 'operations' | 'bindAudited'>): readonly Binding[] {
  return [
    bind(routes.createProject, operations.createProject),
    bind(routes.listProjects, operations.listProjects),
    bind(routes.updateProject, operations.updateProject),
    bind(routes.deleteProject, operations.deleteProject),
    bind(routes.createIngestionApiKey, operations.createIngestionApiKey),
    bind(routes.createFineGrainedApiKey, operations.createFineGrainedApiKey),
    bind(routes.listApiKeys, operations.listApiKeys),
    bind(routes.deleteApiKey, operations.deleteApiKey),
    bind(routes.listDataPlanes, operations.listDataPlanes),
    bind(routes.createDataPlane, operations.createDataPlane),
    bind(routes.updateDataPlane, operations.updateDataPlane),
    bind(routes.rotateDataPlaneToken, operations.rotateDataPlaneToken),
    bind(routes.endDataPlane, operations.endDataPlane),
    bind(routes.listAuditEntries, operations.listAuditEntries),
    ...resourceBindings(operations, bindAudited),
  ];
}
