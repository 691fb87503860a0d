import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { runResponse, runPath } from './run.js';

export const getRun = defineRoute({
  operation: 'getRun',
  method: 'GET',
  path: '/v1/runs/{run_id}',
  aliases: ['/runs/{run_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Read a run',
  params: runPath,
  response: Type.Object({ evaluation: runResponse }),
});
