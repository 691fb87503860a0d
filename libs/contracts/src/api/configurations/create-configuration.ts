import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import {
  configurationId,
  configurationName,
  optionalConfigurationProperties,
  provider,
} from './configuration.js';
import { sentParameters } from './parameters.js';

export const createConfigurationRequest = Type.Object(
  {
    name: configurationName(),
    provider: provider(),
    parameters: sentParameters,
    ...optionalConfigurationProperties,
  },
  {
    $id: 'CreateConfigurationRequest',
    description: 'The configuration to create.',
    additionalProperties: false,
  },
);
export type CreateConfigurationRequest = Static<typeof createConfigurationRequest>;

export const createConfiguration = defineRoute({
  operation: 'createConfiguration',
  method: 'POST',
  path: '/v1/configurations',
  aliases: ['/configurations'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Configurations',
  summary: 'Create a configuration',
  limits: bodyLimitsOf('configuration'),
  body: createConfigurationRequest,
  response: Type.Object({ acknowledged: success(), insertedId: configurationId() }),
});
