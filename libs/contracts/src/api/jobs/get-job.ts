import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { jobPath, jobResponse } from './job.js';

export const getJob = defineRoute({
  operation: 'getJob',
  method: 'GET',
  path: '/v1/jobs/{job_id}',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Jobs',
  summary: 'Read a job with its progress',
  params: jobPath,
  response: Type.Object({ job: jobResponse }),
});
