import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { integer, success, textOrNull } from '../../schema/fields.js';
import {
  configurationName,
  configurationPath,
  optionalConfigurationProperties,
  provider,
} from './configuration.js';
import { sentParameters } from './parameters.js';

export const updateConfigurationRequest = Type.Object(
  {
    name: configurationName(),
    provider: Type.Optional(provider()),
    parameters: Type.Optional(sentParameters),
    ...optionalConfigurationProperties,
  },
  {
    $id: 'UpdateConfigurationRequest',
    description: 'Fields to replace; parameters are replaced as a whole. Absent fields are unchanged.',
    additionalProperties: false,
  },
);
export type UpdateConfigurationRequest = Static<typeof updateConfigurationRequest>;

export const updateConfiguration = defineRoute({
  operation: 'updateConfiguration',
  method: 'PUT',
  path: '/v1/configurations/{configId}',
  aliases: ['/configurations/{configId}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Configurations',
  summary: 'Change a configuration',
  params: configurationPath,
  limits: bodyLimitsOf('configuration'),
  body: updateConfigurationRequest,
  response: Type.Object({
    acknowledged: success(),
    modifiedCount: integer('Number of changed configurations.', 1),
    upsertedId: textOrNull('Always null: an update creates nothing.', null),
    upsertedCount: integer('Always 0.', 0),
    matchedCount: integer('Number of configurations with this id.', 1),
  }),
});
