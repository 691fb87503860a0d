import type { DatapointResponse } from '@assay/contracts';
import type { DatapointContent } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

export interface DatapointFields extends ProjectOwned, DatapointContent {
  readonly created_at: string;
  readonly updated_at: string;
}
export type Datapoint = Document<DatapointFields>;
export type DatapointCollection = DocumentCollection<DatapointFields>;

export const DATAPOINT_COLLECTION: CollectionSpec = {
  name: 'datapoints',
  unique: [],
  indexes: [
    ['project_id', 'created_at'],
    ['project_id', 'linked_event'],
  ],
};

export function toDatapointResponse(datapoint: Datapoint, linked_datasets: string[]): DatapointResponse {
  const { id, inputs, history, ground_truth, metadata, linked_event, created_at, updated_at } = datapoint;
  return {
    id,
    inputs,
    history,
    ground_truth,
    metadata,
    linked_event,
    linked_datasets,
    created_at,
    updated_at,
  };
}
