import type { Caller } from './caller.js';

/** Holder of the administrator's token: may read and change every project, and belongs to none. */
export interface Administrator {
  readonly administrator: true;
}

export const ADMINISTRATOR: Administrator = { administrator: true };

/** Caller of the administrative routes for projects and keys. */
export type Principal = Caller | Administrator;

export function isAdministrator(principal: Principal): principal is Administrator {
  return 'administrator' in principal;
}

/**
 * Returns whether this principal may manage the project and its keys: the administrator, or a key with all
 * rights in that project.
 */
export function mayManageProject(principal: Principal, projectId: string): boolean {
  return isAdministrator(principal) || (principal.projectId === projectId && principal.scope === 'project');
}
