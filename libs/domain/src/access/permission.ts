import type { Caller } from './caller.js';

/** Kinds of resources that permissions are about. `events` covers sessions and traces. */
export const PERMISSION_RESOURCES = [
  'alerts',
  'charts',
  'configurations',
  'datapoints',
  'datasets',
  'events',
  'keys',
  'metrics',
  'projects',
  'queues',
  'runs',
] as const;
export type PermissionResource = (typeof PERMISSION_RESOURCES)[number];

/**
 * Reading, or creating, changing and deleting. Writing does not include reading. `events:delete` is deleting events and
 * sessions alone; `events:write` includes it.
 */
export type Permission = `${PermissionResource}:${'read' | 'write'}` | 'events:delete';

/** The permission that includes another one. */
const INCLUDED_IN: Partial<Readonly<Record<Permission, Permission>>> = { 'events:delete': 'events:write' };

/** Every permission that a key can be restricted to. */
export const PERMISSIONS: readonly Permission[] = PERMISSION_RESOURCES.flatMap((resource): Permission[] => [
  `${resource}:read`,
  `${resource}:write`,
  ...(resource === 'events' ? (['events:delete'] as const) : []),
]);

/** Returns the first of these permissions that the key lacks; undefined when it has all. */
export function missingPermission(
  { permissions }: Pick<Caller, 'permissions'>,
  required: readonly Permission[],
): Permission | undefined {
  return permissions === undefined
    ? undefined
    : required.find((one) => !includesPermission(permissions, one));
}

function includesPermission(permissions: readonly string[], required: Permission): boolean {
  const wider = INCLUDED_IN[required];
  return permissions.includes(required) || (wider !== undefined && permissions.includes(wider));
}
