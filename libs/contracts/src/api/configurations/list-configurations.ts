import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { choice, listOf, text } from '../../schema/fields.js';
import { configurationId, configurationResponse, ENVIRONMENTS, type Environment } from './configuration.js';

const listConfigurationsQuery = Type.Object({
  name: Type.Optional(
    text('Only configurations with exactly this name.', 'support prompt', { maxLength: 200 }),
  ),
  env: Type.Optional(choice<Environment>(ENVIRONMENTS, 'Only configurations for this environment.', 'prod')),
  tags: Type.Optional(
    text('Only configurations with this tag, or with any of several comma-separated tags.', 'support,sales', {
      maxLength: 2_000,
    }),
  ),
});
export type ListConfigurationsQuery = Static<typeof listConfigurationsQuery>;

export const listConfigurations = defineRoute({
  operation: 'listConfigurations',
  method: 'GET',
  path: '/v1/configurations',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Configurations',
  summary: 'List configurations',
  query: listConfigurationsQuery,
  response: Type.Object({
    configurations: listOf(configurationResponse, 'The configurations, newest first.'),
  }),
});

const olderConfiguration = Type.Object(
  {
    ...configurationResponse.properties,
    _id: configurationId(),
    project: text('Name of the project.', 'support'),
  },
  { $id: 'OlderConfiguration', description: 'A configuration as clients of the 0.2 line read it.' },
);

export const listConfigurationsAsArray = defineRoute({
  operation: 'listConfigurationsAsArray',
  method: 'GET',
  path: '/configurations',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Configurations',
  summary: 'List configurations, as an array without a name',
  query: listConfigurationsQuery,
  response: Type.Array(olderConfiguration),
  successor: 'listConfigurations',
});
