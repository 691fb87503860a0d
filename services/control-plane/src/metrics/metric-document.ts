import type { MetricDefinition } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/**
 * A metric as it judges now, with its versions in order and the name of the one that is deployed. All of that is one document, so that
 * exactly one version is deployed at any moment.
 */
export interface MetricFields extends ProjectOwned, MetricDefinition {
  /** False once the metric is deleted: the scores that it has given stay, and so does what they mean. */
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  /** Ids of the versions, oldest first: version `v1` is the first. */
  readonly version_ids: readonly string[];
  readonly deployed: string;
}
export type Metric = Document<MetricFields>;
export type MetricCollection = DocumentCollection<MetricFields>;

export const METRIC_COLLECTION: CollectionSpec = {
  name: 'metrics',
  unique: [],
  indexes: [
    ['project_id', 'is_active', 'created_at'],
    ['project_id', 'is_active', 'type', 'created_at'],
    ['project_id', 'is_active', 'type', 'name'],
  ],
};

/** A snapshot, never changed. One that no metric lists was left over by a creation that failed, and is no version. */
export interface MetricVersionFields extends ProjectOwned {
  readonly metric_id: string;
  readonly full_sha: string;
  readonly message: string;
  readonly date: string;
  readonly content: MetricDefinition;
}
export type MetricVersion = Document<MetricVersionFields>;
export type MetricVersionCollection = DocumentCollection<MetricVersionFields>;

export const METRIC_VERSION_COLLECTION: CollectionSpec = {
  name: 'metric_versions',
  unique: [],
  indexes: [['project_id', 'metric_id']],
};
