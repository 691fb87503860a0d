import type { AdministratorRole } from '@assay/domain';
import type { Route } from './route.js';

/**
 * The role that each administrative operation needs. What creates a credential, or deletes or bounds what a project stores, needs `admin`:
 * an administrator who may create a key or the token of a data plane may do all that these may.
 */
const ROLES: Readonly<Record<string, AdministratorRole>> = {
  createAdministrator: 'admin',
  createBackup: 'operator',
  createDataPlane: 'admin',
  createFineGrainedApiKey: 'admin',
  createIngestionApiKey: 'admin',
  createProject: 'admin',
  deleteAdministrator: 'admin',
  deleteApiKey: 'admin',
  deleteDeadLetter: 'operator',
  deleteDeadLetters: 'operator',
  deleteProject: 'admin',
  endDataPlane: 'operator',
  forwardSessions: 'operator',
  getDeadLetter: 'viewer',
  listAdministrators: 'admin',
  listApiKeys: 'viewer',
  listAuditEntries: 'viewer',
  listDataPlanes: 'viewer',
  listDeadLetters: 'viewer',
  listProjects: 'viewer',
  migrate: 'operator',
  replayDeadLetters: 'operator',
  rotateDataPlaneToken: 'admin',
  updateDataPlane: 'admin',
  updateProject: 'admin',
};

/** Returns the role that an administrator needs for a route; `admin` where nothing is declared. */
export function requiredRole({ operation }: Pick<Route, 'operation'>): AdministratorRole {
  return (Object.hasOwn(ROLES, operation) ? ROLES[operation] : undefined) ?? 'admin';
}

/** Operations with a declared role. */
export const OPERATIONS_WITH_ROLES: readonly string[] = Object.keys(ROLES);
