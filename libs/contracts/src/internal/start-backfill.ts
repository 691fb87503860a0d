import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { choice } from '../schema/fields.js';
import { actingKey } from './acting-key.js';
import { backfillJob, jobOwner, jobRange } from './evaluation-job.js';
import { BODY_BYTES, orNull, queueName } from './fields.js';

const OUTCOMES = ['started', 'no_queue', 'no_filters', 'too_many'] as const;

const backfill = Type.Object({ ...queueName, ...jobRange, owner: jobOwner() });
/** Which events to add to a queue, and the process that begins. */
export type BackfillRequest = Readonly<Static<typeof backfill>>;

const backfillStart = Type.Object({
  outcome: choice<(typeof OUTCOMES)[number]>(OUTCOMES, 'Whether it was started, or why not.', 'started'),
  job: orNull(backfillJob),
});
export type BackfillStart = Readonly<Static<typeof backfillStart>>;

export const startBackfill = defineRoute({
  operation: 'startBackfill',
  method: 'POST',
  path: '/internal/v1/backfills/start',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Create a job that adds stored events to a queue, and lease it',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({ ...backfill.properties, by: actingKey }),
  response: backfillStart,
});
