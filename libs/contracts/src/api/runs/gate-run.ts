import { Type, type Static } from '@sinclair/typebox';
import { GATE_OUTCOMES, type GateOutcome } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, text } from '../../schema/fields.js';
import { MAX_NAME_LENGTH, numberIn } from '../../schema/resource-fields.js';
import { confidenceInterval, coverage, datasetWarningList } from './compare-runs.js';
import { runId } from './run.js';

export const gateRunRequest = Type.Object(
  {
    against: runId(),
    metrics: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_NAME_LENGTH }), {
        description: 'Names of the metrics to judge; all with a direction when absent.',
        examples: [['accuracy']],
        minItems: 1,
        maxItems: 100,
      }),
    ),
    max_regression: Type.Optional(
      numberIn(
        'Largest accepted loss, in the unit of each metric. Absent: any loss that is not shown.',
        0.02,
        {
          minimum: 0,
        },
      ),
    ),
    max_missing: Type.Optional(
      integer(
        'Datapoints of the old run that may lack scores in the new one without an error; above it the outcome is undecided.',
        0,
        { minimum: 0, maximum: 1_000_000, default: 0 },
      ),
    ),
    max_errors: Type.Optional(
      integer(
        'Datapoints of the old run that may lack scores in the new one because of an error; above it the gate fails.',
        0,
        { minimum: 0, maximum: 1_000_000, default: 0 },
      ),
    ),
    min_pairs: Type.Optional(
      integer('Datapoints below which the outcome is undecided.', 10, {
        minimum: 2,
        maximum: 1_000_000,
        default: 10,
      }),
    ),
  },
  { $id: 'GateRunRequest', description: 'The older run, and what to judge.', additionalProperties: false },
);
export type GateRunRequest = Static<typeof gateRunRequest>;

const outcome = (description: string) => choice<GateOutcome>(GATE_OUTCOMES, description, 'pass');

const reason = Type.Object(
  {
    outcome: outcome('What this reason leads to.'),
    reason: text('Explanation.', 'no regression is shown'),
    metric_name: Type.Optional(text('Name of the metric; absent for the whole run.', 'accuracy')),
    event_name: Type.Optional(text('Name of the events.', 'answer')),
    paired: Type.Optional(coverage.paired),
    only_old: Type.Optional(coverage.only_old),
    only_new: Type.Optional(coverage.only_new),
    missing: Type.Optional(coverage.missing),
    errors: Type.Optional(coverage.errors),
    pending: Type.Optional(integer('Pending evaluations of both runs that the metric depends on.', 2)),
    pairs: Type.Optional(integer('Common datapoints with a score in both runs.', 20)),
    loss: Type.Optional(
      numberIn('Mean loss of the new run in the direction of the metric; negative for a gain.', -0.1),
    ),
    loss_interval: Type.Optional(
      confidenceInterval('Interval of 95 % of the loss; null with fewer than two pairs.'),
    ),
  },
  { description: 'One reason.' },
);

export const gateRun = defineRoute({
  operation: 'gateRun',
  method: 'POST',
  path: '/v1/runs/{new_run_id}/gate',
  aliases: ['/runs/{new_run_id}/gate'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Decide whether a run may replace an older one',
  readOnly: true,
  params: Type.Object({ new_run_id: runId() }),
  body: gateRunRequest,
  response: Type.Object({
    outcome: outcome('One failure fails the gate; it passes when every reason does.'),
    reasons: listOf(reason, 'One reason per metric, and those that concern the whole run.'),
    warnings: datasetWarningList(),
    pending: integer('Evaluations of both runs that are pending, of all metrics.', 0),
    freshness: text('The value of the header Assay-Freshness.', 'current'),
  }),
});
