import { makeCreateConfiguration } from './create-configuration.js';
import { makeDeleteConfiguration } from './delete-configuration.js';
import { makeListConfigurations } from './list-configurations.js';
import { makeUpdateConfiguration } from './update-configuration.js';
import type { ConfigurationDeps } from './configuration-document.js';

/** The operations on configurations, by the names of their routes. */
export function configurationOperations(deps: ConfigurationDeps) {
  return {
    listConfigurations: makeListConfigurations(deps),
    createConfiguration: makeCreateConfiguration(deps),
    updateConfiguration: makeUpdateConfiguration(deps),
    deleteConfiguration: makeDeleteConfiguration(deps),
  };
}
