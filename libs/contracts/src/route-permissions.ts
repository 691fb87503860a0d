import type { Permission, PermissionResource } from '@assay/domain';
import type { Route } from './route.js';

/** The resource of each tag whose routes a key of a project can call. */
const RESOURCES: Readonly<Record<string, PermissionResource>> = {
  Alerts: 'alerts',
  'API keys': 'keys',
  Charts: 'charts',
  Configurations: 'configurations',
  Datapoints: 'datapoints',
  Datasets: 'datasets',
  Deletions: 'events',
  Events: 'events',
  Jobs: 'metrics',
  Metrics: 'metrics',
  OpenTelemetry: 'events',
  Projects: 'projects',
  Queues: 'queues',
  Runs: 'runs',
  Sessions: 'events',
  Transfers: 'projects',
  Usage: 'events',
};

/**
 * Returns the permissions that a restricted key needs for a route; undefined for a route that no restricted key may
 * call, because nothing is declared about it.
 */
export function requiredPermissions(
  route: Pick<Route, 'tag' | 'method' | 'readOnly' | 'permissions'>,
): readonly Permission[] | undefined {
  const resource = Object.hasOwn(RESOURCES, route.tag) ? RESOURCES[route.tag] : undefined;
  if (resource === undefined) return undefined;
  return [permissionOf(resource, route), ...(route.permissions ?? [])];
}

function permissionOf(
  resource: PermissionResource,
  { tag, method, readOnly }: Pick<Route, 'tag' | 'method' | 'readOnly'>,
): Permission {
  if (method === 'GET' || readOnly === true) return `${resource}:read`;
  const deletes = method === 'DELETE' || tag === 'Deletions';
  return resource === 'events' && deletes ? 'events:delete' : `${resource}:write`;
}
