import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { jobClaim } from './claim-job.js';
import { backfillJob } from './evaluation-job.js';
import { BODY_BYTES, readonlyList } from './fields.js';

export const claimBackfill = defineRoute({
  operation: 'claimBackfill',
  method: 'POST',
  path: '/internal/v1/backfills/claim',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Take the backfill of a queue that has waited longest, under a lease',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: jobClaim,
  response: Type.Object({
    jobs: readonlyList(backfillJob, 'The job; empty when none waits.', [], { maxItems: 1 }),
  }),
});
