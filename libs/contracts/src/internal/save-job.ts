import { Type, type Static } from '@sinclair/typebox';
import type { JobState } from '@assay/domain';
import { jobCounts } from '../api/jobs/job.js';
import { defineRoute } from '../route.js';
import { choice, flag } from '../schema/fields.js';
import { jobCursor, jobName, jobOwner } from './evaluation-job.js';
import { BODY_BYTES, orNull } from './fields.js';

type SavedState = Exclude<JobState, 'stopped'>;
const SAVED_STATES: readonly SavedState[] = ['running', 'completed', 'failed'];

const jobProgress = Type.Object({
  ...jobName,
  owner: jobOwner(),
  cursor: jobCursor(),
  counts: jobCounts,
  releases: Type.Optional(flag('Whether the lease ends, so that another process continues the job.', false)),
  state: choice<SavedState>(SAVED_STATES, 'Whether the job continues.', 'running'),
  reason: orNull(
    Type.String({ description: 'Why the job failed; null otherwise.', examples: [null], maxLength: 500 }),
  ),
});
/** How far a job is. */
export type JobProgress = Readonly<Static<typeof jobProgress>>;

export const saveJob = defineRoute({
  operation: 'saveJob',
  method: 'POST',
  path: '/internal/v1/jobs/save',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Save the progress of a job and extend the lease',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: jobProgress,
  response: Type.Object({
    continues: flag('False when the job was stopped or is that of another process: nothing was saved.', true),
  }),
});
