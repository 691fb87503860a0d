import type { ResponseOf, ListConfigurationsQuery, listConfigurations as route } from '@assay/contracts';
import type { Condition } from '@assay/document-store';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toConfigurationResponse, type ConfigurationDeps, wordKey } from './configuration-document.js';

/**
 * Lists the configurations of the project, newest first, filtered by name, environment and any of the given
 * tags.
 */
export function makeListConfigurations(deps: ConfigurationDeps) {
  return function listConfigurations(
    { query }: { query: ListConfigurationsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const collection = new ProjectScopedCollection(deps.configurations, caller.projectId);
    const pages = collection.allPages({
      equals: query.name === undefined ? {} : { name: query.name },
      where: conditions(query),
      orderBy: 'created_at',
      descending: true,
    });
    return Promise.resolve(
      streamJson<ResponseOf<typeof route>>({ configurations: mapPages(pages, toConfigurationResponse) }),
    );
  };
}

function conditions({ env, tags }: ListConfigurationsQuery): Condition[] {
  const words = (tags ?? '').split(',').flatMap((tag) => tag.trim() || []);
  return [
    ...(env === undefined ? [] : [{ field: 'env_key', containsAny: [wordKey(env)] }]),
    ...(words.length === 0 ? [] : [{ field: 'tags_key', containsAny: words.map(wordKey) }]),
  ];
}
