import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { runResponse, runPath, sentRunProperties } from './run.js';

export const updateRunRequest = Type.Object(sentRunProperties, {
  $id: 'UpdateRunRequest',
  description: 'Fields to set; metadata, results and configuration are merged, other fields are replaced.',
});
export type UpdateRunRequest = Static<typeof updateRunRequest>;

export const updateRun = defineRoute({
  operation: 'updateRun',
  method: 'PUT',
  path: '/v1/runs/{run_id}',
  aliases: ['/runs/{run_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Change a run',
  params: runPath,
  limits: bodyLimitsOf('run'),
  body: updateRunRequest,
  response: Type.Object({ evaluation: runResponse }),
});
