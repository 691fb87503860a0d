import { defineRoute } from '../../route.js';
import { configurationPath, configurationResponse } from './configuration.js';

export const getConfiguration = defineRoute({
  operation: 'getConfiguration',
  method: 'GET',
  path: '/v1/configurations/{configId}',
  aliases: ['/configurations/{configId}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Configurations',
  summary: 'Read a configuration',
  params: configurationPath,
  response: configurationResponse,
});
