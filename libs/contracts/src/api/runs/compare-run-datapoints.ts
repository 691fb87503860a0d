import { Type, type Static, type TUnsafe } from '@sinclair/typebox';
import {
  DATAPOINT_SELECTIONS,
  DATAPOINT_SORTS,
  DATAPOINT_VERDICTS,
  type DatapointSelection,
  type DatapointSort,
  type DatapointVerdict,
} from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, integer, listOf, openObject, text, textOrNull, uuid } from '../../schema/fields.js';
import { conditionFields, cursorText, nextCursor, previewChars } from '../events/page-events.js';
import { comparedRunsPath } from './compare-runs.js';

/** Maximum and default number of datapoints per page. */
export const MAX_COMPARED_DATAPOINTS = 200;
export const DEFAULT_COMPARED_DATAPOINTS = 50;

const request = Type.Object(
  {
    metric: Type.Optional(
      text('Metric to compare; when absent, whether all scores of a datapoint passed.', 'accuracy', {
        minLength: 1,
        maxLength: 200,
      }),
    ),
    only: Type.Optional(
      Type.Array(choice<DatapointSelection>(DATAPOINT_SELECTIONS, 'A verdict, or error.', 'worse'), {
        description: 'Only datapoints with one of these verdicts, or with an error; all when absent.',
        examples: [['worse', 'error']],
        maxItems: DATAPOINT_SELECTIONS.length,
      }),
    ),
    sort: Type.Optional(
      choice<DatapointSort>(
        DATAPOINT_SORTS,
        'Order: largest loss first (default), largest gain first, or that of the old run.',
        'loss',
      ),
    ),
    event_name: Type.Optional(
      text('Only scores and outputs of events of this name.', 'answer', { maxLength: 1000 }),
    ),
    filters: conditionFields.filters,
    limit: Type.Optional(
      integer(`Datapoints per page; ${DEFAULT_COMPARED_DATAPOINTS} when absent.`, 50, {
        minimum: 1,
        maximum: MAX_COMPARED_DATAPOINTS,
      }),
    ),
    cursor: Type.Optional(cursorText('The next_cursor of the previous page.')),
    preview_chars: Type.Optional(previewChars()),
  },
  {
    $id: 'CompareRunDatapointsRequest',
    description: 'Which datapoints to compare.',
    additionalProperties: false,
  },
);
export type CompareRunDatapointsRequest = Static<typeof request>;

const numberOrNull = (description: string, example: number | null): TUnsafe<number | null> =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] });
const count = (description: string) => integer(description, 5, { minimum: 0 });

const comparedEvent = Type.Object({
  session_id: uuid('Id of the session.'),
  event_id: uuid('Id of the event that is shown: that of event_name, or the session.'),
  outputs_preview: textOrNull(
    'Beginning of its outputs as JSON text; null without previews.',
    '{"answer":"Par',
  ),
  payload_bytes: count('Bytes of its inputs, outputs and config as stored.'),
  metrics: openObject('Scores of the datapoint by metric; of several scores the mean, passing is 1 or 0.', {
    accuracy: 0.9,
  }),
  score: numberOrNull('The compared score; null when absent.', 0.9),
  trials: count('Scores of the compared metric, or trials; the score is their mean, or whether all passed.'),
  spread: numberOrNull('Standard deviation of these as a sample; null for fewer than two.', null),
  duration: numberOrNull('Duration of the event in milliseconds; null while unknown.', 250),
  cost: numberOrNull('Cost of the event in USD; null when unknown.', 0.0042),
  error: textOrNull('Error that ended the event; null without one.', null),
});
type ComparedEvent = Static<typeof comparedEvent>;

const side = (description: string) =>
  Type.Unsafe<ComparedEvent | null>({ ...comparedEvent, type: ['object', 'null'], description });

const row = Type.Object(
  {
    datapoint_id: text('Id of the datapoint.', '65c13dbbd65fb876b7886cdb'),
    inputs_preview: textOrNull(
      'Beginning of the inputs as JSON text; null without previews.',
      '{"question":"Wh',
    ),
    ground_truth_preview: textOrNull('Beginning of feedback.ground_truth; null when absent.', 'Paris'),
    old: side('The datapoint in the old run; null when it is not in it.'),
    new: side('The datapoint in the new run; null when it is not in it.'),
    delta: numberOrNull('New score minus old score; null when one is missing.', 0.2),
    verdict: choice<DatapointVerdict>(
      DATAPOINT_VERDICTS,
      'Verdict by the direction of the metric; missing without a score in both runs.',
      'better',
    ),
    has_error: flag('Whether an event of one of the sessions ended with an error.', false),
  },
  { description: 'One datapoint in both runs.' },
);

export const compareRunDatapoints = defineRoute({
  operation: 'compareRunDatapoints',
  readOnly: true,
  method: 'POST',
  path: '/v1/runs/{new_run_id}/compare/{old_run_id}/datapoints',
  aliases: ['/runs/{new_run_id}/compare/{old_run_id}/datapoints'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Compare two runs datapoint by datapoint, largest loss first',
  params: comparedRunsPath,
  permissions: ['events:read'],
  body: request,
  response: Type.Object({
    rows: listOf(row, 'Datapoints of the page.'),
    counts: Type.Object(
      {
        worse: count('Datapoints with a lower score, by the direction of the metric.'),
        better: count('Datapoints with a better score.'),
        same: count('Datapoints with the same score.'),
        missing: count('Datapoints without a score in both runs.'),
        error: count('Datapoints with an error, whatever their verdict.'),
      },
      { description: 'All datapoints by verdict, whatever only selects.' },
    ),
    next_cursor: nextCursor(),
  }),
});
