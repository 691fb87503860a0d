import type { Caller } from './caller.js';

/** Who holds the administrator's token: may see and change every project, and belongs to none. */
export interface Administrator {
  readonly administrator: true;
}

export const ADMINISTRATOR: Administrator = { administrator: true };

/** Who asks for the administration of projects and keys. */
export type Principal = Caller | Administrator;

export function isAdministrator(principal: Principal): principal is Administrator {
  return 'administrator' in principal;
}

/**
 * Whether this principal may manage the project and its keys: the administrator, or a key with all rights of
 * that project.
 */
export function mayManageProject(principal: Principal, projectId: string): boolean {
  return isAdministrator(principal) || (principal.projectId === projectId && principal.scope === 'project');
}
