import { Type, type Static } from '@sinclair/typebox';
import { choice } from '../../schema/fields.js';
import {
  createdAt,
  idList,
  ignoredText,
  objectOrNull,
  resourceId,
  resourceName,
  updatedAt,
} from '../../schema/resource-fields.js';
import { parametersResponse } from './parameters.js';

export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
const CONFIGURATION_TYPES = ['LLM', 'pipeline'] as const;
type ConfigurationType = (typeof CONFIGURATION_TYPES)[number];
const MAX_TAGS = 100;

export const configurationId = () => resourceId('Id of the configuration.');
export const configurationPath = Type.Object({ configId: configurationId() });

export const configurationName = () => resourceName('Name of the configuration.', 'support prompt');
export const provider = () => resourceName('Model provider.', 'openai');
export const tagList = () => idList('Tags of the configuration.', ['support'], MAX_TAGS);
const configurationType = () =>
  choice<ConfigurationType>(CONFIGURATION_TYPES, 'Kind of configuration.', 'LLM');
const environments = () =>
  Type.Array(choice<Environment>(ENVIRONMENTS, 'One environment.', 'prod'), {
    description: 'Environments that use the configuration.',
    examples: [['prod']],
    maxItems: 10,
  });
const userProperties = () => objectOrNull('Metadata of the configuration.', { owner: 'team-a' });

export const optionalConfigurationProperties = {
  type: Type.Optional(configurationType()),
  env: Type.Optional(environments()),
  tags: Type.Optional(tagList()),
  user_properties: Type.Optional(userProperties()),
  project: ignoredText('Ignored: the key determines the project.'),
};
export const configurationResponse = Type.Object(
  {
    id: configurationId(),
    name: configurationName(),
    type: configurationType(),
    provider: provider(),
    parameters: parametersResponse,
    env: environments(),
    tags: tagList(),
    user_properties: userProperties(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Configuration', description: 'A model with prompt and settings.' },
);
export type ConfigurationResponse = Static<typeof configurationResponse>;
