import { createHash } from 'node:crypto';
import { definitionOf, PEOPLE_TYPES, type MetricDefinition, type MetricType } from '@assay/domain';
import { AppError, notFound } from '@assay/errors';
import { newId } from '../shared/new-id.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import type { CriteriaDeps } from './check-criteria.js';
import {
  type Metric,
  type MetricCollection,
  type MetricFields,
  type MetricVersion,
  type MetricVersionCollection,
  type MetricVersionFields,
  type NamedVersion,
  versionName,
} from './metric-document.js';

export interface MetricDeps extends CriteriaDeps {
  readonly metrics: MetricCollection;
  readonly metricVersions: MetricVersionCollection;
  readonly now: () => Date;
}

/** Version to add to a metric. */
export interface NewVersion {
  /** Derives the content from the present state of the metric. */
  readonly contentOf: (metric: Metric) => MetricDefinition;
  readonly message: string;
  readonly deploy: boolean;
  /** The version that the caller knows as deployed; absent: any. */
  readonly expected?: string | undefined;
}

const MAX_VERSIONS = 10_000;
/** Maximum number of metrics of one name that are read. Names are not unique. */
const MAX_SAME_NAME = 100;
const MAX_NAMED = 1_000;

/** Metrics of one project and their versions. */
export class MetricRepository {
  readonly collection: ProjectScopedCollection<MetricFields>;
  readonly versions: ProjectScopedCollection<MetricVersionFields>;

  constructor(
    private readonly deps: MetricDeps,
    projectId: string,
  ) {
    this.collection = new ProjectScopedCollection(deps.metrics, projectId);
    this.versions = new ProjectScopedCollection(deps.metricVersions, projectId);
  }

  /** @throws AppError `NOT_FOUND` if the metric does not exist or was deleted */
  async getExisting(id: string): Promise<Metric> {
    const metric = await this.collection.get(id);
    if (!metric?.is_active) throw notFound('metric not found');
    return metric;
  }

  /** @throws AppError `NOT_FOUND` as {@link getExisting}, `CONFLICT` */
  async update(id: string, update: (metric: Metric) => Metric): Promise<Metric> {
    const updated = await this.collection.update(id, (metric) => {
      if (!metric.is_active) throw notFound('metric not found');
      return update(metric);
    });
    if (!updated) throw notFound('metric not found');
    return updated;
  }

  /** Reads the metrics with this name that people score, at most 100 of a type, page by page. */
  async *humanMetrics(name: string): AsyncGenerator<readonly Metric[]> {
    for (const type of PEOPLE_TYPES)
      yield* this.collection.pages({ equals: { is_active: true, type, name } }, MAX_SAME_NAME);
  }

  /** Returns the metrics of a type with one of these names (at most 1,000), at most 1,000 of them. */
  async named(type: MetricType, names: readonly string[]): Promise<Metric[]> {
    const equals = { is_active: true, type };
    const where = [{ field: 'name', in: names }];
    return this.collection.page({ equals, where, orderBy: 'name' }, MAX_NAMED);
  }

  /**
   * Returns one metric of each name, deleted ones included: the newest that is not deleted, otherwise the newest.
   * At most 10,000 active and 10,000 deleted metrics are read; only what `toItem` returns is kept in memory.
   */
  async newestByName<Item>(toItem: (metric: Metric) => Item): Promise<Item[]> {
    const byName = new Map<string, Item>();
    for (const is_active of [true, false]) {
      const query = { equals: { is_active }, orderBy: 'created_at', descending: true };
      for await (const page of this.collection.pages(query))
        page.forEach((metric) => byName.has(metric.name) || byName.set(metric.name, toItem(metric)));
    }
    return [...byName.values()];
  }

  /**
   * Stores a metric and its first version. The version is written first: without a metric it is unreachable.
   */
  async create(content: MetricDefinition): Promise<Metric> {
    const id = newId();
    const version = await this.insertVersion(id, content, 'Created');
    const { date } = version;
    const state = {
      is_active: true,
      created_at: date,
      updated_at: date,
      version_ids: [version.id],
      deployed: versionName(1),
    };
    return this.collection.insert(id, { project_id: this.collection.projectId, ...content, ...state });
  }

  /**
   * Adds a version and optionally deploys it, in one write. Retries after a concurrent write.
   * @throws AppError `NOT_FOUND`; `CONFLICT` when another version than the expected one is deployed, after ten attempts,
   * or if the metric has 10,000 versions
   */
  async addVersion(id: string, { contentOf, message, deploy, expected }: NewVersion): Promise<NamedVersion> {
    return retryWhileLost(async () => {
      const before = await this.getExisting(id);
      assertDeployed(before, expected);
      if (before.version_ids.length >= MAX_VERSIONS)
        throw new AppError('CONFLICT', `a metric has at most ${MAX_VERSIONS} versions`);
      const version = await this.insertVersion(id, contentOf(before), message);
      const version_ids = [...before.version_ids, version.id];
      const name = versionName(version_ids.length);
      const metric = await this.collection.replace({
        ...(deploy ? withDeployed(before, { name, version, at: version.date }) : before),
        version_ids,
      });
      if (metric) return { name, version, metric };
      await this.versions.delete(version.id);
      return LOST;
    });
  }

  private insertVersion(
    metric_id: string,
    definition: MetricDefinition,
    message: string,
  ): Promise<MetricVersion> {
    const content = definitionOf(definition);
    const date = this.deps.now().toISOString();
    const full_sha = createHash('sha256')
      .update(JSON.stringify([content, date, message]))
      .digest('hex');
    return this.versions.insert(newId(), {
      project_id: this.versions.projectId,
      metric_id,
      full_sha,
      message,
      date,
      content,
    });
  }
}

/** Returns the metric with the definition of this version, deployed `at` this time. */
export function withDeployed(
  metric: Metric,
  { name, version, at }: { name: string; version: MetricVersion; at: string },
): Metric {
  const { model_parameters: _parameters, add_instructions: _instructions, ...rest } = metric;
  return { ...rest, ...version.content, deployed: name, updated_at: at };
}

/** @throws AppError `CONFLICT` when another version than this one is deployed */
export function assertDeployed({ deployed }: Metric, expected: string | undefined): void {
  if (expected !== undefined && deployed !== expected)
    throw new AppError(
      'CONFLICT',
      'expected_version is stale: another version was deployed, read the versions again',
    );
}
