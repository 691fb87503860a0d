import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { choice, listOf, text } from '../../schema/fields.js';
import { configurationResponse, ENVIRONMENTS, type Environment } from './configuration.js';

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
  aliases: ['/configurations'],
  owner: 'control-plane',
  access: 'project',
  tag: 'Configurations',
  summary: 'List configurations',
  query: listConfigurationsQuery,
  response: Type.Object({
    configurations: listOf(configurationResponse, 'The configurations, newest first.'),
  }),
});
