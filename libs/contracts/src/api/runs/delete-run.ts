import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { runId, runPath } from './run.js';

export const deleteRun = defineRoute({
  operation: 'deleteRun',
  method: 'DELETE',
  path: '/v1/runs/{run_id}',
  aliases: ['/runs/{run_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Delete a run; its events are kept',
  params: runPath,
  response: Type.Object({ id: runId(), deleted: success() }),
});
