import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success } from '../../schema/fields.js';
import { configurationPath } from './configuration.js';

export const deleteConfiguration = defineRoute({
  operation: 'deleteConfiguration',
  method: 'DELETE',
  path: '/v1/configurations/{configId}',
  aliases: ['/configurations/{configId}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Configurations',
  summary: 'Delete a configuration',
  params: configurationPath,
  response: Type.Object({
    acknowledged: success(),
    deletedCount: integer('Number of deleted configurations.', 1),
  }),
});
