import { Type, type Static } from '@sinclair/typebox';
import { text, textOrNull } from '../../schema/fields.js';
import {
  createdAt,
  idList,
  ignored,
  ignoredText,
  resourceId,
  resourceName,
  updatedAt,
} from '../../schema/resource-fields.js';

export const datasetId = () => resourceId('Id of the dataset.');
export const datasetPath = Type.Object({ dataset_id: datasetId() });
export const datasetMemberPath = Type.Object({
  dataset_id: datasetId(),
  datapoint_id: resourceId('Id of the datapoint.'),
});

/** Fields of a dataset in a request. */
export const sentDatasetProperties = {
  name: Type.Optional(
    resourceName('Name of the dataset; "Untitled Dataset" when it is created without.', 'golden questions'),
  ),
  description: Type.Optional(textOrNull('Description of the dataset.', 'Questions with verified answers')),
  datapoints: Type.Optional(idList('Ids of the datapoints, in order; on an update they replace the list.')),
};

/** Fields that older clients still send. */
export const ignoredDatasetProperties = {
  project: ignoredText(),
  type: ignored('evaluation'),
  saved: ignored(true),
  linked_evals: ignored([]),
};

export const datasetResponse = Type.Object(
  {
    id: datasetId(),
    name: resourceName('Name of the dataset.', 'golden questions'),
    description: text('Description of the dataset.', 'Questions with verified answers'),
    datapoints: idList('Ids of the datapoints, in order.'),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  { $id: 'Dataset', description: 'An ordered set of datapoints.' },
);
export type DatasetResponse = Static<typeof datasetResponse>;

export const datasetResult = Type.Object({ result: datasetResponse });

/** Response to removing a datapoint from a dataset. */
export const dereferencedResponse = Type.Object({
  dereferenced: Type.Boolean({
    description: 'Whether the dataset contained the datapoint.',
    examples: [true],
  }),
  message: text('Description of the change.', 'datapoint removed from the dataset'),
});
