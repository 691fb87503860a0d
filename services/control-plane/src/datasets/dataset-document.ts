import type { DatasetResponse } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { DatasetVersion } from '@assay/domain';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/**
 * Dataset. Its members are separate documents under the id of a list. Replacing all members is one write,
 * which sets another list id, and no document grows with the dataset.
 */
export interface DatasetFields extends ProjectOwned {
  readonly name: string;
  readonly description: string;
  readonly list_id: string;
  /** Absent on a dataset that has not changed since versions are recorded. */
  readonly newest_version?: DatasetVersion;
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

/** Earlier version of a dataset. `version` is the name of the document's own. */
export interface DatasetVersionFields extends ProjectOwned, Omit<DatasetVersion, 'version'> {
  readonly dataset_id: string;
  readonly number: number;
}
export type DatasetVersionCollection = DocumentCollection<DatasetVersionFields>;

export const DATASET_VERSION_COLLECTION: CollectionSpec = {
  name: 'dataset_versions',
  unique: [],
  indexes: [
    ['project_id', 'dataset_id', 'number'],
    ['project_id', 'created_at'],
  ],
};

/** Returns the number of the newest version; 0 for a dataset that has not changed since versions are recorded. */
export function versionOf({ newest_version: newest }: Pick<DatasetFields, 'newest_version'>): number {
  return newest?.version ?? 0;
}

export function toDatasetResponse(dataset: Dataset, datapoints: string[]): DatasetResponse {
  const { id, name, description, created_at, updated_at } = dataset;
  return { id, name, description, datapoints, created_at, updated_at };
}
