import type { MetricResponse, VersionResponse } from '@assay/contracts';
import { definitionOf, type MetricDefinition } from '@assay/domain';
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

/** Version with its name and the metric that it belongs to. */
export interface NamedVersion {
  readonly name: string;
  readonly version: MetricVersion;
  readonly metric: Metric;
}

/** Versions are named by their number: `v1` is the oldest. */
export function versionName(number: number): string {
  return `v${number}`;
}

/** The number of a version, from 1; undefined when this is no name of a version. */
export function versionNumber(name: string): number | undefined {
  const [, digits] = /^v([1-9]\d{0,6})$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function toMetricResponse(metric: Metric): MetricResponse {
  return {
    id: metric.id,
    ...definitionOf(metric),
    created_at: metric.created_at,
    updated_at: metric.updated_at,
  };
}

export function toVersionResponse({ name, version, metric }: NamedVersion): VersionResponse {
  const { full_sha, message, date, content } = version;
  return { name, full_sha, message, date, deployed: metric.deployed === name, content };
}
