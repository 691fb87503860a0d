import { Type, type Static } from '@sinclair/typebox';
import { RUN_STATUSES, type RunStatus } from '@assay/domain';
import { anyJson, choice, openObject, textOrNull } from '../../schema/fields.js';
import {
  choiceOrNull,
  createdAt,
  idList,
  ignoredText,
  limitedTextOrNull,
  MAX_NAME_LENGTH,
  resourceId,
  updatedAt,
  uuidV4,
} from '../../schema/resource-fields.js';

export const runId = () => uuidV4('Id of the run.');
export const runPath = Type.Object({ run_id: runId() });

const eventIds = () =>
  idList('Ids of the sessions of the run, one per datapoint.', ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']);
const metadata = () => openObject('Metadata of the run.', { branch: 'main' });
const results = () => openObject('Results computed by the client.', {});
const configuration = () => openObject('Tested configuration: model, prompt, settings.', { model: 'gpt-4o' });
const datasetId = () =>
  limitedTextOrNull(
    'Id of the dataset; the prefix EXT- denotes a client-owned dataset.',
    '65c13dbbd65fb876b7886cdb',
    {
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
    },
  );

/** Fields of a run in a request. Null means absent; unknown fields are ignored. */
export const sentRunProperties = {
  name: Type.Optional(
    limitedTextOrNull('Name of the run; not blank.', 'prompt v2', {
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
    }),
  ),
  description: Type.Optional(textOrNull('Description of the run.', 'Shorter system prompt')),
  status: Type.Optional(
    choiceOrNull<RunStatus>(RUN_STATUSES, 'Status of the run; any transition is allowed.', 'pending'),
  ),
  metadata: Type.Optional(metadata()),
  results: Type.Optional(results()),
  configuration: Type.Optional(configuration()),
  event_ids: Type.Optional(eventIds()),
  evaluators: Type.Optional(
    Type.Array(anyJson('One evaluator.', 'accuracy'), {
      description: 'Stored in the metadata.',
      examples: [[]],
    }),
  ),
  session_ids: Type.Optional(idList('Stored in the metadata.', [])),
  datapoint_ids: Type.Optional(idList('Stored in the metadata.', [])),
  passing_ranges: Type.Optional(openObject('Stored in the metadata.', {})),
  project: ignoredText(),
};
export const createdRunProperties = {
  run_id: Type.Optional(runId()),
  dataset_id: Type.Optional(datasetId()),
};

export const runResponse = Type.Object(
  {
    id: runId(),
    run_id: runId(),
    name: textOrNull('Name of the run.', 'prompt v2'),
    description: textOrNull('Description of the run.', 'Shorter system prompt'),
    status: choice<RunStatus>(RUN_STATUSES, 'Status of the run.', 'completed'),
    is_active: Type.Boolean({ description: 'Always true: deleted runs are not returned.', examples: [true] }),
    metadata: metadata(),
    results: results(),
    metrics: openObject('In a list of runs: the average of the scores by their name.', { accuracy: 0.75 }),
    configuration: configuration(),
    event_ids: eventIds(),
    dataset_id: datasetId(),
    dataset_name: textOrNull(
      'Name of the dataset; null for a client-owned or deleted dataset.',
      'golden questions',
    ),
    dataset_version: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description:
          'Version of the dataset when the run was created; 0 before its first recorded change, null when it is not known.',
        examples: [3],
      }),
    ),
    scope_type: choice(['project'], 'Scope of the run.', 'project'),
    scope_id: resourceId('Id of the project.'),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Run', description: 'An experiment run: a configuration evaluated on the datapoints of a dataset.' },
);
export type RunResponse = Static<typeof runResponse>;
