import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { jobResponse } from './job.js';

export const listJobs = defineRoute({
  operation: 'listJobs',
  method: 'GET',
  path: '/v1/jobs',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Jobs',
  summary: 'List the jobs of the project: those that run, and the last 100 others',
  response: Type.Object({ jobs: listOf(jobResponse, 'The jobs, newest first.') }),
});
