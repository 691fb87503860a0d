import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, openObject } from '../../schema/fields.js';
import { numberOrNull, unpricedModels } from '../../schema/resource-fields.js';
import { runId } from './run.js';

/** Maximum number of runs of one request. */
export const MAX_SUMMARISED_RUNS = 100;

const count = (description: string, example: number) => integer(description, example, { minimum: 0 });

const summary = Type.Object(
  {
    run_id: runId(),
    sessions: count('Sessions of the run.', 120),
    datapoints: count('Datapoints of the sessions; a session without one counts as one.', 120),
    passed: count('Datapoints whose trials all passed.', 91),
    failed: count('The other datapoints.', 29),
    metrics: openObject('Mean of all scores, by metric; at most 100 metrics.', { accuracy: 0.846 }),
    errors: numberOrNull('Sessions in which an event ended with an error; null when there are too many.', 2),
    duration_p50: numberOrNull('Median duration of the sessions, in milliseconds; null when unknown.', 1840),
    duration_p95: numberOrNull(
      'The 95th percentile of the durations, in milliseconds; null when unknown.',
      4310,
    ),
    tokens: numberOrNull('Tokens of all sessions; null when there are too many sessions.', 120400),
    cost: numberOrNull(
      'Cost of all sessions in USD; null when there are too many sessions, or when the cost of a call is unknown.',
      3.41,
    ),
    unpriced_models: unpricedModels('The models of these calls; empty when the cost is known.'),
  },
  { description: 'The numbers of one run.' },
);

export const listRunSummaries = defineRoute({
  operation: 'listRunSummaries',
  readOnly: true,
  method: 'POST',
  path: '/v1/runs/summaries',
  aliases: ['/runs/summaries'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Summarise up to 100 runs for a list',
  permissions: ['events:read'],
  body: Type.Object(
    {
      run_ids: Type.Array(runId(), {
        description: 'Ids of the runs.',
        examples: [['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']],
        minItems: 1,
        maxItems: MAX_SUMMARISED_RUNS,
      }),
    },
    { $id: 'ListRunSummariesRequest', description: 'Runs to summarise.', additionalProperties: false },
  ),
  response: Type.Object({
    summaries: listOf(summary, 'The runs that exist, in the order of the request, each once.'),
  }),
});
