import type {
  ListConfigurationsQuery,
  listConfigurations as route,
  listConfigurationsAsArray as arrayRoute,
  ResponseOf,
} from '@assay/contracts';
import type { Condition } from '@assay/document-store';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { NamedProjectContext, OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import {
  toConfigurationResponse,
  type Configuration,
  type ConfigurationDeps,
  wordKey,
} from './configuration-document.js';

/**
 * Lists the configurations of the project, newest first, filtered by name, environment and any of the given
 * tags.
 */
export function makeListConfigurations(deps: ConfigurationDeps) {
  return function listConfigurations(
    { query }: { query: ListConfigurationsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const pages = matching(deps, caller.projectId, query);
    return Promise.resolve(
      streamJson<ResponseOf<typeof route>>({ configurations: mapPages(pages, toConfigurationResponse) }),
    );
  };
}

/** Lists the configurations as {@link makeListConfigurations} does, in the form that the clients of the 0.2 line read. */
export function makeListConfigurationsAsArray(deps: ConfigurationDeps) {
  return function listConfigurationsAsArray(
    { query }: { query: ListConfigurationsQuery },
    { caller }: NamedProjectContext,
  ): Promise<JsonStream<ResponseOf<typeof arrayRoute>>> {
    const pages = matching(deps, caller.projectId, query);
    const toOlder = (configuration: Configuration) => ({
      ...toConfigurationResponse(configuration),
      _id: configuration.id,
      project: caller.projectName,
    });
    return Promise.resolve(streamJson<ResponseOf<typeof arrayRoute>>(mapPages(pages, toOlder)));
  };
}

function matching(deps: ConfigurationDeps, projectId: string, query: ListConfigurationsQuery) {
  const collection = new ProjectScopedCollection(deps.configurations, projectId);
  return collection.allPages({
    equals: query.name === undefined ? {} : { name: query.name },
    where: conditions(query),
    orderBy: 'created_at',
    descending: true,
  });
}

function conditions({ env, tags }: ListConfigurationsQuery): Condition[] {
  const words = (tags ?? '').split(',').flatMap((tag) => tag.trim() || []);
  return [
    ...(env === undefined ? [] : [{ field: 'env_key', containsAny: [wordKey(env)] }]),
    ...(words.length === 0 ? [] : [{ field: 'tags_key', containsAny: words.map(wordKey) }]),
  ];
}
