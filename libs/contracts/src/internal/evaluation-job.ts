import { Type } from '@sinclair/typebox';
import { jobCounts, jobId } from '../api/jobs/job.js';
import { metricId } from '../api/metrics/metric.js';
import { text } from '../schema/fields.js';
import { checkedFilter } from './get-queue-filters.js';
import { orNull, projectId, queueName, readonlyList, wholeNumber } from './fields.js';

const optionalNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [1_790_000_000_000] });

export const jobName = { projectId: projectId(), jobId: jobId() };

/** Name of the process that runs a job. */
export const jobOwner = () =>
  Type.String({ description: 'The process that runs the job.', examples: ['6f1c'], maxLength: 100 });

export const jobCursor = () =>
  orNull(
    Type.Object(
      {
        value: optionalNumber('Start of the event, Unix milliseconds.'),
        eventId: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
      },
      { description: 'The last event that is complete; null before the first.', examples: [null] },
    ),
  );

/** Bounds of the start of events. */
export const jobRange = {
  from: optionalNumber('First start, Unix milliseconds; null: no bound.'),
  to: Type.Number({ description: 'Last start, Unix milliseconds.', examples: [1_790_000_000_000] }),
};

const storedEventsJob = {
  ...jobName,
  filters: readonlyList(checkedFilter, 'Conditions besides those of the metric.', []),
  ...jobRange,
  createdAt: wholeNumber('Creation of the job, Unix milliseconds.', 1_790_000_000_000),
  cursor: jobCursor(),
  counts: jobCounts,
};

export const evaluationJob = Type.Object(
  { ...storedEventsJob, metricId: metricId() },
  { description: 'A job that evaluates stored events.' },
);

export const backfillJob = Type.Object(
  { ...storedEventsJob, queueId: queueName.queueId },
  { description: 'A job that adds stored events to a queue.' },
);
