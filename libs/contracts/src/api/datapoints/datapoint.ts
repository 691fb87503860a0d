import { Type, type Static } from '@sinclair/typebox';
import { openObject, text, textOrNull } from '../../schema/fields.js';
import {
  createdAt,
  idList,
  objectList,
  objectOrNull,
  resourceId,
  updatedAt,
} from '../../schema/resource-fields.js';

export const datapointId = () => resourceId('Id of the datapoint.');
export const datapointPath = Type.Object({ datapoint_id: datapointId() });

const inputs = () => openObject('Inputs of the tested step.', { question: 'What is the capital of France?' });
const history = () => objectList('Preceding messages, oldest first.', [{ role: 'user', content: 'Hello' }]);
const groundTruth = () => objectOrNull('Expected output: the reference value.', { answer: 'Paris' });
const metadata = () => objectOrNull('Metadata of the datapoint.', { difficulty: 'easy' });
const linkedDatasets = (description: string) => idList(description, ['65c13dbbd65fb876b7886cdb'], 1_000);

/** Fields of a datapoint in a request. Unknown fields, such as the former `ground_truths`, are ignored. */
export const sentDatapointProperties = {
  inputs: Type.Optional(inputs()),
  history: Type.Optional(history()),
  ground_truth: Type.Optional(groundTruth()),
  metadata: Type.Optional(metadata()),
  linked_event: Type.Optional(textOrNull('Id of the source event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e')),
  linked_datasets: Type.Optional(
    linkedDatasets('Ids of the datasets that contain the datapoint; an update removes it from all others.'),
  ),
};

export const datapointResponse = Type.Object(
  {
    id: datapointId(),
    inputs: inputs(),
    history: history(),
    ground_truth: groundTruth(),
    metadata: metadata(),
    linked_event: textOrNull('Id of the source event, or null.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    linked_datasets: linkedDatasets('Ids of the datasets that contain the datapoint.'),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Datapoint', description: 'A test case of a dataset: inputs and the expected output.' },
);
export type DatapointResponse = Static<typeof datapointResponse>;

/**
 * Maximum number of datapoints in a response without a limit. A request for more is rejected, never
 * truncated.
 */
export const MAX_UNPAGED_DATAPOINTS = 10_000;

export const datasetNameFilter = () =>
  text('Only datapoints of the dataset with this name.', 'golden questions', { maxLength: 200 });
