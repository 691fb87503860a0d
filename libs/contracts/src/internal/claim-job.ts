import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { evaluationJob, jobOwner } from './evaluation-job.js';
import { BODY_BYTES, readonlyList, textItems } from './fields.js';

export const jobClaim = Type.Object({
  owner: jobOwner(),
  projectIds: textItems('Projects whose jobs the process runs; empty: all.', []),
  busyProjectIds: textItems('Projects of which the process runs a job already.', []),
});
/** Which jobs a process runs. */
export type JobClaim = Readonly<Static<typeof jobClaim>>;

export const claimJob = defineRoute({
  operation: 'claimJob',
  method: 'POST',
  path: '/internal/v1/jobs/claim',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Take the job that has waited longest, under a lease',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: jobClaim,
  response: Type.Object({
    jobs: readonlyList(evaluationJob, 'The job; empty when none waits.', [], { maxItems: 1 }),
  }),
});
