import {
  createConfiguration,
  deleteConfiguration,
  getConfiguration,
  listConfigurations,
  listConfigurationsAsArray,
  updateConfiguration,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import type { ConfigurationDeps } from './configuration-document.js';
import { makeCreateConfiguration } from './create-configuration.js';
import { makeDeleteConfiguration } from './delete-configuration.js';
import { makeGetConfiguration } from './get-configuration.js';
import { makeListConfigurations, makeListConfigurationsAsArray } from './list-configurations.js';
import { makeUpdateConfiguration } from './update-configuration.js';

export function configurationRoutes(
  deps: ConfigurationDeps & { readonly bindAudited: BindAudited },
): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listConfigurations, makeListConfigurations(deps)),
    bind(listConfigurationsAsArray, makeListConfigurationsAsArray(deps)),
    bind(getConfiguration, makeGetConfiguration(deps)),
    bindAudited(
      createConfiguration,
      makeCreateConfiguration(deps),
      'configuration.created',
      (_, { insertedId }) => insertedId,
    ),
    bindAudited(
      updateConfiguration,
      makeUpdateConfiguration(deps),
      'configuration.changed',
      ({ params }) => params.configId,
    ),
    bindAudited(
      deleteConfiguration,
      makeDeleteConfiguration(deps),
      'configuration.deleted',
      ({ params }) => params.configId,
    ),
  ];
}
