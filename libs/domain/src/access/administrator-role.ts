/** Roles of administrators. Each includes those before it. */
export const ADMINISTRATOR_ROLES = ['viewer', 'operator', 'admin'] as const;
export type AdministratorRole = (typeof ADMINISTRATOR_ROLES)[number];

/** Returns whether a role includes the one that is needed. */
export function includesRole(role: AdministratorRole, needed: AdministratorRole): boolean {
  return ADMINISTRATOR_ROLES.indexOf(role) >= ADMINISTRATOR_ROLES.indexOf(needed);
}
