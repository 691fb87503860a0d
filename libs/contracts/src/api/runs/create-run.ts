import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { runResponse, createdRunProperties, runId, sentRunProperties } from './run.js';

export const createRunRequest = Type.Object(
  { ...createdRunProperties, ...sentRunProperties },
  { $id: 'CreateRunRequest', description: 'The run to create.' },
);
export type CreateRunRequest = Static<typeof createRunRequest>;

export const createRun = defineRoute({
  operation: 'createRun',
  method: 'POST',
  path: '/v1/runs',
  aliases: ['/runs'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Create a run, or merge into the run with the same id',
  limits: bodyLimitsOf('run'),
  body: createRunRequest,
  response: Type.Object({ evaluation: runResponse, run_id: runId() }),
});
