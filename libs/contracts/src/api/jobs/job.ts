import { Type, type Static } from '@sinclair/typebox';
import { JOB_KINDS, JOB_STATES, type JobKind, type JobState } from '@assay/domain';
import { choice, integer, listOf, text, textOrNull } from '../../schema/fields.js';
import { createdAt, resourceId, updatedAt } from '../../schema/resource-fields.js';
import { strictFilter } from '../events/filter.js';

export const jobId = () => resourceId('Id of the job.');
export const jobPath = Type.Object({ job_id: jobId() });

const count = (description: string, example: number) => integer(description, example, { minimum: 0 });

export const jobCounts = Type.Object(
  {
    events: count('Events that are complete.', 250),
    scored: count('Events that the job has scored.', 240),
    failed: count('Events whose evaluation ended with an error, or whose filters were not decided.', 2),
    skipped: count('Events that had a score, lack a ground truth, or were deleted.', 8),
    matched: Type.Optional(
      count('Events that a backfill has found to match; existing entries included.', 12),
    ),
    not_decided: Type.Optional(
      count('Events of which a backfill could not decide it, because the filters need too much work.', 0),
    ),
  },
  { description: 'Progress.' },
);

export const jobResponse = Type.Object(
  {
    id: jobId(),
    kind: choice<JobKind>(
      JOB_KINDS,
      'Evaluates stored events by a metric, or adds stored events to an annotation queue.',
      'evaluation',
    ),
    metric_id: textOrNull('Id of the metric of an evaluation.', '65c13dbbd65fb876b7886cdb'),
    metric_name: textOrNull('Name of the metric when the job was created.', 'accuracy'),
    queue_id: textOrNull('Id of the queue of a backfill.', null),
    state: choice<JobState>(
      JOB_STATES,
      'Whether the job runs, is complete, was stopped, or cannot continue.',
      'running',
    ),
    reason: textOrNull('Why the job failed; null otherwise.', null),
    filters: listOf(
      strictFilter,
      'Conditions besides those of the metric; of a backfill, the filters of the queue when it began.',
    ),
    from: textOrNull('First start of the events, ISO 8601; null: no bound.', null),
    to: text('Last start of the events, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    position: textOrNull(
      'Start of the last event that is complete, ISO 8601; the newest events come first. Null before the first.',
      null,
    ),
    counts: jobCounts,
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Job', description: 'A job that reads stored events.' },
);
export type JobResponse = Static<typeof jobResponse>;
