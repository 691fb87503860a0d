import { createHash } from 'node:crypto';
import { type MetricDefinition, definitionOf } from '@assay/domain';
import { AppError, notFound } from '@assay/errors';
import { newId } from '../shared/new-id.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type {
  Metric,
  MetricFields,
  MetricCollection,
  MetricVersion,
  MetricVersionFields,
  MetricVersionCollection,
} from './metric-document.js';
import { versionName } from './version-name.js';

export interface MetricDeps {
  readonly metrics: MetricCollection;
  readonly metricVersions: MetricVersionCollection;
  readonly now: () => Date;
}

/** A version in its place. */
export interface NamedVersion {
  readonly name: string;
  readonly version: MetricVersion;
  readonly metric: Metric;
}

const ATTEMPTS = 10;
const MAX_VERSIONS = 10_000;
/** Names are not unique; nobody has more than a few of one. */
const SAME_NAME = 100;

/** The metrics of one project, and their versions. */
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

  /** @throws AppError `NOT_FOUND` when there is none, or it was deleted */
  async getExisting(id: string): Promise<Metric> {
    const metric = await this.collection.get(id);
    if (!metric?.is_active) throw notFound('metric not found');
    return metric;
  }

  /** The metrics of this name that people judge, at most 100. */
  async judgedByPeople(name: string): Promise<Metric[]> {
    return this.collection.page({ equals: { is_active: true, type: 'HUMAN', name } }, SAME_NAME);
  }

  /** Stores a metric and its first version. The version comes first: without a metric that lists it, it is nothing. */
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
   * Adds a version of what `contentOf` makes of the metric, and deploys it if asked for, in one step. Again when somebody else was faster.
   * @throws AppError `NOT_FOUND`, `CONFLICT` after ten attempts or when the metric has 10,000 versions
   */
  async addVersion(
    id: string,
    contentOf: (metric: Metric) => MetricDefinition,
    message: string,
    deploy: boolean,
  ): Promise<NamedVersion> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await this.getExisting(id);
      if (before.version_ids.length >= MAX_VERSIONS)
        throw new AppError('CONFLICT', `a metric has at most ${MAX_VERSIONS} versions`);
      const version = await this.insertVersion(id, contentOf(before), message);
      const version_ids = [...before.version_ids, version.id];
      const name = versionName(version_ids.length);
      const metric = await this.collection.replace({
        ...(deploy ? deployed(before, name, version) : before),
        version_ids,
      });
      if (metric) return { name, version, metric };
      await this.versions.delete(version.id);
    }
    throw new AppError('CONFLICT', 'others are changing this metric at the same time, try again');
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

/** The metric as the version defines it, from the moment at which that was made or is deployed. */
export function deployed(metric: Metric, name: string, { content, date }: MetricVersion, at = date): Metric {
  return { ...metric, ...content, deployed: name, updated_at: at };
}
