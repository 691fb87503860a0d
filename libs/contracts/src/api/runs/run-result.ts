import { Type, type Static, type TUnsafe } from '@sinclair/typebox';
import {
  AGGREGATE_FUNCTIONS,
  RESULT_METRIC_TYPES,
  RUN_STATUSES,
  type AggregateFunction,
  type ResultMetricType,
  type RunStatus,
} from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, integer, listOf, text, textList } from '../../schema/fields.js';
import { numberIn } from '../../schema/resource-fields.js';
import { runFilters } from './run-filters.js';
import { runPath, runResponse } from './run.js';

const DATAPOINT_EXAMPLE = ['65c13dbbd65fb876b7886cdb'];

export const datapointList = (description: string) => textList(description, DATAPOINT_EXAMPLE);
export const scoredMetricName = () => text('Name of the metric.', 'accuracy');
export const resultMetricType = () =>
  choice<ResultMetricType>(
    RESULT_METRIC_TYPES,
    'Type of the metric; CLIENT_SIDE for scores without a definition.',
    'CLIENT_SIDE',
  );
export const eventKind = {
  event_name: text('Name of the events.', 'answer'),
  event_type: text('Type of the events.', 'chain'),
};
export const aggregateFunction = () =>
  choice<AggregateFunction>(AGGREGATE_FUNCTIONS, 'Aggregate function; average when absent.', 'average');
export const numberList = (description: string, example: number[]) =>
  Type.Array(Type.Number(), { description, examples: [example] });

const passingRange = Type.Object(
  {
    min: Type.Optional(numberIn('Lowest score that passes.', 0.5)),
    max: Type.Optional(numberIn('Highest score that passes.', 1)),
  },
  { description: 'Bounds of passing scores; absent without bounds.' },
);

const evaluationCounts = Type.Object(
  {
    scored: integer('Evaluations with a score.', 12),
    failed: integer('Evaluations that failed.', 0),
    timed_out: integer('Evaluations that did not end in time.', 0),
    pending: integer('Evaluations that have not ended.', 0),
    skipped: integer('Events that a rule of the metric excludes, of those that were evaluated before.', 0),
  },
  { description: 'Evaluations by one metric, by their newest outcome.' },
);
type Counts = Static<typeof evaluationCounts>;

export const evaluationsByMetric = (description: string): TUnsafe<Record<string, Counts>> =>
  Type.Unsafe<Record<string, Counts>>({
    type: 'object',
    description,
    additionalProperties: evaluationCounts,
    examples: [{ accuracy: { scored: 12, failed: 0, timed_out: 0, pending: 0, skipped: 0 } }],
  });

const trialStatistics = Type.Object(
  {
    datapoint_id: text('Id of the datapoint.', '65c13dbbd65fb876b7886cdb'),
    n: integer('Number of scores.', 3),
    mean: numberIn('Mean of the scores.', 0.5),
    spread: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Standard deviation of the scores as a sample; null for one score.',
      examples: [0.5],
    }),
  },
  { description: 'The scores of one datapoint.' },
);

const detail = Type.Object(
  {
    metric_name: scoredMetricName(),
    metric_type: resultMetricType(),
    ...eventKind,
    aggregate: numberIn('Aggregate of the values.', 0.5),
    values: numberList('Scores in the order of the sessions; booleans are 1 and 0.', [1, 0]),
    passing_range: Type.Optional(passingRange),
    datapoints: Type.Object(
      {
        passed: datapointList('Ids whose scores all passed.'),
        failed: datapointList('Ids with a score that did not pass.'),
      },
      { description: 'Ids of the datapoints, or of sessions without one.' },
    ),
    trials: Type.Optional(
      listOf(trialStatistics, 'Scores of each datapoint; present when one of them has several.'),
    ),
  },
  { description: 'One metric on the events of one name.' },
);

const score = Type.Object(
  {
    name: scoredMetricName(),
    ...eventKind,
    value: Type.Unsafe<number | boolean | null>({
      type: ['number', 'boolean', 'null'],
      description: 'The score; null for a category without a score.',
      examples: [1],
    }),
    passed: flag('Whether the score passed.', true),
  },
  { description: 'One score.' },
);

const datapoint = Type.Object(
  {
    datapoint_id: text('Id of the datapoint; the session id when it has none.', '65c13dbbd65fb876b7886cdb'),
    session_id: text('Id of the session.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    passed: flag(
      'Whether all scores passed, no evaluation failed, and it has no error without a score.',
      true,
    ),
    metrics: listOf(score, 'Scores of the trial.'),
    has_error: Type.Optional(
      flag('True when an event of the trial, or its session, ended with an error.', true),
    ),
  },
  { description: 'One trial: a datapoint in a session of the run.' },
);

const share = (description: string) => numberIn(description, 0.75, { minimum: 0, maximum: 1 });
const shareOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [0.75] });

const labelScores = Type.Object(
  {
    label: text('The label; `true` and `false` for booleans.', 'billing'),
    support: integer('How often the label is the ground truth.', 8),
    predicted: integer('How often the metric has the label.', 8),
    true_positives: integer('How often both are the case.', 6),
    precision: shareOrNull('Right ones among those that the metric has; null when it never has the label.'),
    recall: shareOrNull('Right ones among the ground truths; null when the label never is one.'),
    f1: share('Harmonic mean of precision and recall.'),
  },
  { description: 'One label.' },
);

const classification = Type.Object(
  {
    metric_name: scoredMetricName(),
    pairs: integer('Values with a ground truth.', 12),
    without_ground_truth: integer('Values without one, which do not count.', 0),
    without_value: integer('Trials with a ground truth and without a value, which count as wrong.', 0),
    accuracy: share('Share of right values.'),
    macro: Type.Object(
      {
        precision: share('Mean precision of the labels; null counts as 0.'),
        recall: share('Mean recall of the labels; null counts as 0.'),
        f1: share('Mean F1 of the labels.'),
      },
      { description: 'Means over all labels.' },
    ),
    labels: listOf(labelScores, 'The labels with the most support, at most 100.'),
  },
  { description: 'Booleans or texts of one metric against the ground truth of the same name.' },
);

const result = Type.Object(
  {
    status: choice<RunStatus>(RUN_STATUSES, 'Status of the run.', 'completed'),
    success: flag(
      'Whether no datapoint failed, nothing is to be evaluated, and the run neither failed nor was cancelled.',
      true,
    ),
    passed: datapointList('Ids of the datapoints whose trials all passed.'),
    failed: datapointList('Ids of the other datapoints.'),
    metrics: Type.Object(
      {
        aggregation_function: aggregateFunction(),
        details: listOf(detail, 'Each metric on the events of each name.'),
      },
      { description: 'Aggregated metrics.' },
    ),
    datapoints: listOf(datapoint, 'The trials of the run.'),
    event_details: listOf(
      Type.Object(eventKind, { description: 'Name and type of events.' }),
      'Distinct names and types of the events.',
    ),
    evaluations: evaluationsByMetric('What the evaluators have decided about the events, by metric.'),
    classifications: listOf(
      classification,
      'Metrics whose events have a ground truth of the same name: precision, recall and F1.',
    ),
    run_object: runResponse,
    error: Type.Optional(
      text(
        'What the result does not include: errors without scores, failed and pending evaluations. Of a result that could not be computed: why; its lists are empty.',
        '2 datapoints ended with an error and have no score; 1 evaluations are pending',
      ),
    ),
  },
  { $id: 'RunResult', description: 'The result of an experiment run.' },
);

export const getRunResult = defineRoute({
  operation: 'getRunResult',
  method: 'GET',
  path: '/v1/runs/{run_id}/result',
  aliases: ['/runs/{run_id}/result'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Compute the result of a run; an unknown aggregate function counts as average',
  params: runPath,
  query: Type.Object({
    aggregate_function: Type.Optional(
      text(`Aggregate function: ${AGGREGATE_FUNCTIONS.join(', ')}; average when absent.`, 'average', {
        maxLength: 100,
      }),
    ),
    filters: Type.Optional(runFilters()),
  }),
  response: result,
});

export const getRunSummary = defineRoute({
  operation: 'getRunSummary',
  method: 'GET',
  path: '/v1/runs/{run_id}/summary',
  aliases: ['/runs/{run_id}/summary'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Compute the result of a run',
  params: runPath,
  query: Type.Object({
    aggregate_function: Type.Optional(aggregateFunction()),
    filters: Type.Optional(runFilters()),
  }),
  response: result,
});
