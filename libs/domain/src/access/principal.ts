import type { AdministratorRole } from './administrator-role.js';
import type { Caller } from './caller.js';

/** An administrator: may do in every project what the role includes, and belongs to none. */
export interface Administrator {
  readonly administrator: true;
  /** Null for the holder of the token that the settings name. */
  readonly id: string | null;
  readonly name: string;
  readonly role: AdministratorRole;
  /** When the token expires, ISO 8601. Absent: never, or it is not known. */
  readonly expiresAt?: string;
}

/** Holder of the token that the settings name. */
export const ADMINISTRATOR: Administrator = {
  administrator: true,
  id: null,
  name: 'administrator',
  role: 'admin',
};

/** Caller of the administrative routes for projects and keys. */
export type Principal = Caller | Administrator;

export function isAdministrator(principal: Principal): principal is Administrator {
  return 'administrator' in principal;
}

/**
 * Returns whether this principal may manage the project and its keys: an administrator, whose role the route decides on, or a key with all
 * rights in that project.
 */
export function mayManageProject(principal: Principal, projectId: string): boolean {
  return isAdministrator(principal) || (principal.projectId === projectId && principal.scope === 'project');
}
