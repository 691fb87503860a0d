import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { jobId } from '../jobs/job.js';
import { queuePath } from './queue.js';

export const backfillQueueRequest = Type.Object(
  { dateRange: Type.Optional(dateRange) },
  { $id: 'BackfillQueueRequest', description: 'Stored events to consider.' },
);
export type BackfillQueueRequest = Static<typeof backfillQueueRequest>;

export const backfillQueue = defineRoute({
  operation: 'backfillQueue',
  method: 'POST',
  path: '/v1/queues/{queue_id}/backfill',
  aliases: ['/queues/{queue_id}/backfill'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary:
    'Start a job that adds the stored events that match the filters of an annotation queue, newest first',
  params: queuePath,
  body: backfillQueueRequest,
  response: Type.Object({
    matched: integer('Number of matching events; existing entries keep their position.', 12),
    not_decided: integer(
      'Number of events of which it was not decided whether they match, because the filters need too much work.',
      0,
    ),
    examined: integer('Number of events scanned.', 500),
    complete: flag(
      'Whether the job has ended. False when the range has more events than one call scans: the job continues.',
      true,
    ),
    job_id: jobId(),
  }),
});
