import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { jobPath, jobResponse } from './job.js';

export const stopJob = defineRoute({
  operation: 'stopJob',
  method: 'DELETE',
  path: '/v1/jobs/{job_id}',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Jobs',
  summary: 'Stop a job; what it has done remains',
  params: jobPath,
  response: Type.Object({ job: jobResponse }),
});
