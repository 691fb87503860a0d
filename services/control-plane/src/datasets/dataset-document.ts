import type { DatasetResponse } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/**
 * Dataset. Its members are separate documents under the id of a list. Replacing all members is one write,
 * which sets another list id, and no document grows with the dataset.
 */
export interface DatasetFields extends ProjectOwned {
  readonly name: string;
  readonly description: string;
  readonly list_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}
export type Dataset = Document<DatasetFields>;
export type DatasetCollection = DocumentCollection<DatasetFields>;

export const DATASET_COLLECTION: CollectionSpec = {
  name: 'datasets',
  unique: [],
  indexes: [
    ['project_id', 'created_at'],
    ['project_id', 'name', 'created_at'],
  ],
};

/**
 * Member of a list: one datapoint at its position. A list without a dataset is left over from a replacement
 * and never read.
 */
export interface DatasetMemberFields extends ProjectOwned {
  readonly dataset_id: string;
  readonly list_id: string;
  readonly datapoint_id: string;
  /** Sort key within the list, unique. */
  readonly position: string;
}
export type DatasetMemberCollection = DocumentCollection<DatasetMemberFields>;

export const DATASET_MEMBER_COLLECTION: CollectionSpec = {
  name: 'dataset_members',
  unique: [],
  indexes: [
    ['project_id', 'list_id', 'position'],
    ['project_id', 'datapoint_id'],
  ],
};

export function toDatasetResponse(dataset: Dataset, datapoints: string[]): DatasetResponse {
  const { id, name, description, created_at, updated_at } = dataset;
  return { id, name, description, datapoints, created_at, updated_at };
}
