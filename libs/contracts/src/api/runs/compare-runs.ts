import { Type } from '@sinclair/typebox';
import { DIRECTIONS, VERDICTS, type Direction, type Verdict } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, textList } from '../../schema/fields.js';
import { numberIn } from '../../schema/resource-fields.js';
import { runFilters } from './run-filters.js';
import {
  aggregateFunction,
  datapointList,
  evaluationsByMetric,
  eventKind,
  scoredMetricName,
  numberList,
  resultMetricType,
} from './run-result.js';
import { runId, runResponse } from './run.js';

export const comparedRunsPath = Type.Object({ new_run_id: runId(), old_run_id: runId() });

export const confidenceInterval = (description: string) =>
  Type.Unsafe<{ low: number; high: number } | null>({
    type: ['object', 'null'],
    description,
    examples: [{ low: 0.1, high: 0.4 }],
    required: ['low', 'high'],
    properties: {
      low: numberIn('Lower bound.', 0.1),
      high: numberIn('Upper bound.', 0.4),
    },
  });

const statistics = Type.Object(
  {
    pairs: integer('Common datapoints with a score in both runs.', 20),
    mean_difference: numberIn('Mean of new minus old over the pairs.', 0.25),
    confidence_interval: confidenceInterval(
      'Interval of 95 % of the mean difference, by BCa bootstrap; null with fewer than two pairs.',
    ),
    effect_size: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'Mean difference in standard deviations of the differences; null when the differences do not vary.',
      examples: [0.8],
    }),
    mcnemar: Type.Unsafe<{ gained: number; lost: number; p_value: number } | null>({
      type: ['object', 'null'],
      description:
        'Exact two-sided McNemar test of pass and fail; null when scores have no condition to pass.',
      examples: [{ gained: 6, lost: 0, p_value: 0.03125 }],
      required: ['gained', 'lost', 'p_value'],
      properties: {
        gained: integer('Pairs that pass in the new run only.', 6),
        lost: integer('Pairs that pass in the old run only.', 0),
        p_value: numberIn('P-value.', 0.03125),
      },
    }),
    p_value: numberIn("P-value: of McNemar's test for booleans, else of the mean difference.", 0.03),
    adjusted_p_value: numberIn("P-value after Holm's correction for the number of metrics.", 0.03),
    direction: choice<Direction>(DIRECTIONS, 'Direction of better scores.', 'higher'),
    verdict: choice<Verdict>(VERDICTS, 'What the scores show.', 'better'),
    resamples: integer('Resamples of the bootstrap.', 10_000),
    seed: integer('Seed of the bootstrap.', 20_240_601),
  },
  { description: 'Statistics of the paired scores.' },
);

/** How far the new run has the scores of the old one. */
export const coverage = {
  paired: integer('Datapoints with a score in both runs.', 20),
  only_old: integer('Datapoints with a score in the old run only.', 2),
  only_new: integer('Datapoints with a score in the new run only.', 0),
  missing: integer(
    'Datapoints of the old run that have no score in the new one, or fewer, or a trial without one, and no error.',
    1,
  ),
  errors: integer('The same with an error, and datapoints whose evaluation failed in the new run.', 1),
};

export const datasetWarningList = () =>
  textList('Reasons why the runs may not have been computed on the same datapoints.', []);

const comparedMetric = Type.Object(
  {
    metric_name: scoredMetricName(),
    metric_type: resultMetricType(),
    ...eventKind,
    old_aggregate: numberIn('Aggregate over all sessions of the old run.', 0.5),
    new_aggregate: numberIn('Aggregate over all sessions of the new run.', 1),
    difference: numberIn('New aggregate minus old aggregate.', 0.5),
    percentage_change: numberIn('Difference in percent of the old aggregate; 100 or -100 from 0.', 100),
    found_count: integer('Common datapoints with a score in both runs.', 2),
    ...coverage,
    improved_count: integer('Datapoints with a better score.', 1),
    degraded_count: integer('Datapoints with a worse score.', 0),
    same_count: integer('Datapoints with the same score.', 1),
    improved: datapointList('Ids of the datapoints with a better score.'),
    degraded: datapointList('Ids of the datapoints with a worse score.'),
    same: datapointList('Ids of the datapoints with the same score.'),
    old_values: numberList('Scores of the old run, by datapoint.', [1, 0]),
    new_values: numberList('Scores of the new run, in the same order.', [1, 1]),
    statistics,
  },
  { description: 'One metric on the events of one name.' },
);

const lostMetric = Type.Object(
  {
    metric_name: scoredMetricName(),
    metric_type: resultMetricType(),
    direction: choice<Direction>(DIRECTIONS, 'Direction of better scores.', 'higher'),
    ...eventKind,
    ...coverage,
  },
  { description: 'A metric that the old run has on the events of one name, and the new one has not.' },
);

const presentEventKind = Type.Object(
  { ...eventKind, presence: choice(['old', 'new', 'both'], 'Runs in which the events occur.', 'both') },
  { description: 'Name and type of events.' },
);

const comparison = Type.Object(
  {
    metrics: listOf(comparedMetric, 'Metrics that both runs have.'),
    lost_metrics: listOf(lostMetric, 'Metrics that only the old run has; at most 1,000.'),
    commonDatapoints: datapointList('Ids of the datapoints of both runs, in the order of the old run.'),
    event_details: listOf(presentEventKind, 'Distinct names and types of the events.'),
    old_evaluations: evaluationsByMetric('What the evaluators have decided about the old run, by metric.'),
    new_evaluations: evaluationsByMetric('What the evaluators have decided about the new run, by metric.'),
    warnings: datasetWarningList(),
    old_run: runResponse,
    new_run: Type.Object(runResponse.properties, { description: 'The new run.' }),
  },
  { $id: 'RunComparison', description: 'The comparison of two runs.' },
);

const compareQuery = Type.Object({
  aggregate_function: Type.Optional(aggregateFunction()),
  filters: Type.Optional(runFilters()),
});

export const compareRunResults = defineRoute({
  operation: 'compareRunResults',
  method: 'GET',
  path: '/v1/runs/{new_run_id}/compare/{old_run_id}',
  aliases: ['/runs/{new_run_id}/compare/{old_run_id}'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Compare a run with an older one',
  params: comparedRunsPath,
  query: compareQuery,
  response: comparison,
});

export const compareRunResultsWith = defineRoute({
  operation: 'compareRunResultsWith',
  method: 'GET',
  path: '/v1/runs/{new_run_id}/compare-with/{old_run_id}',
  aliases: ['/runs/{new_run_id}/compare-with/{old_run_id}'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Compare a run with an older one',
  params: comparedRunsPath,
  query: compareQuery,
  response: comparison,
  successor: 'compareRunResults',
});
