import { Type, type Static } from '@sinclair/typebox';
import { JOB_STATES, type JobState } from '@assay/domain';
import { choice, integer, listOf, text, textOrNull } from '../../schema/fields.js';
import { createdAt, resourceId, updatedAt } from '../../schema/resource-fields.js';
import { strictFilter } from '../events/filter.js';

export const jobId = () => resourceId('Id of the job.');
export const jobPath = Type.Object({ job_id: jobId() });

const count = (description: string, example: number) => integer(description, example, { minimum: 0 });

export const jobCounts = Type.Object(
  {
    events: count('Events that match and are complete.', 250),
    scored: count('Events that the job has scored.', 240),
    failed: count('Events whose evaluation ended with an error.', 2),
    skipped: count('Events that had a score, lack a ground truth, or were deleted.', 8),
  },
  { description: 'Progress.' },
);

export const jobResponse = Type.Object(
  {
    id: jobId(),
    metric_id: resourceId('Id of the metric.'),
    metric_name: text('Name of the metric when the job was created.', 'accuracy'),
    state: choice<JobState>(
      JOB_STATES,
      'Whether the job runs, is complete, was stopped, or cannot continue.',
      'running',
    ),
    reason: textOrNull('Why the job failed; null otherwise.', null),
    filters: listOf(strictFilter, 'Conditions besides those of the metric.'),
    from: textOrNull('First start of the events, ISO 8601; null: no bound.', null),
    to: text('Last start of the events, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    position: textOrNull(
      'Start of the last event that is complete, ISO 8601; the newest events are evaluated first. Null before the first.',
      null,
    ),
    counts: jobCounts,
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Job', description: 'A job that evaluates stored events by a metric.' },
);
export type JobResponse = Static<typeof jobResponse>;
