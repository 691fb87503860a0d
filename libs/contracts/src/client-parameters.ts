import type { Route } from './route.js';

/** The project comes from the key: clients that name it as well may only mean that one. */
const PROJECT = ['project', 'project_id', 'project_name'];

/** Parameters of one operation that public clients send and that have no meaning here. */
const OF_OPERATION: Readonly<Record<string, readonly string[]>> = {
  // Datasets and datapoints had a type; all of them are of the one that is left.
  listDatasets: ['type'],
  listDatapoints: ['type'],
  // Configurations had a type; they are listed by name, environment and tags.
  listConfigurations: ['type'],
  listConfigurationsAsArray: ['type'],
};

/**
 * Query parameters that public clients send to a GET route, which accepts them and ignores them: they could narrow nothing.
 * Any other parameter that a route does not declare is rejected.
 */
export function ignoredParameters({
  operation,
  access,
}: Pick<Route, 'operation' | 'access'>): readonly string[] {
  const ofOperation = Object.hasOwn(OF_OPERATION, operation) ? (OF_OPERATION[operation] ?? []) : [];
  return access === 'admin' ? ofOperation : [...PROJECT, ...ofOperation];
}
