import type { MetricResponse, VersionResponse } from '@assay/contracts';
import { addsInstructions, definitionOf, indexWarnings, type MetricDefinition } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/**
 * Metric with its current definition, its versions in order and the name of the deployed one. It is one
 * document, so that exactly one version is deployed at any time.
 */
export interface MetricFields extends ProjectOwned, MetricDefinition {
  /** False once the metric is deleted. Its scores and its definition remain. */
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  /** Ids of the versions, oldest first, beginning with `v1`. */
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

/**
 * Immutable snapshot of a definition. A version that no metric lists is left over from a failed write and is
 * ignored.
 */
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

/** Returns the name of a version by its number, from 1. */
export function versionName(number: number): string {
  return `v${number}`;
}

/** Returns the number of a version, from 1, or undefined if the name is invalid. */
export function versionNumber(name: string): number | undefined {
  const [, digits] = /^v([1-9]\d{0,6})$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** @param modelWarnings why events cannot be evaluated by the metric at present */
export function toMetricResponse(metric: Metric, modelWarnings: readonly string[] = []): MetricResponse {
  const { id, filters, created_at, updated_at } = metric;
  const warnings = [...indexWarnings(filters.filterArray, 'filters.filterArray'), ...modelWarnings];
  return {
    ...{ id, ...definitionResponse(metric), created_at, updated_at },
    ...(warnings.length > 0 && { warnings }),
  };
}

export function toVersionResponse({ name, version, metric }: NamedVersion): VersionResponse {
  const { full_sha, message, date, content } = version;
  return {
    name,
    full_sha,
    message,
    date,
    deployed: metric.deployed === name,
    content: definitionResponse(content),
  };
}

/** The definition, which says when instructions are added also if it does not state it. */
function definitionResponse(metric: MetricDefinition): MetricDefinition {
  return { ...definitionOf(metric), ...(addsInstructions(metric) && { add_instructions: true }) };
}
