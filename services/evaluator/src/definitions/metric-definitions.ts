import type { ControlPlane } from '@assay/control-plane-client';
import { withDefaultModel, type DefaultModel, type DeployedMetric } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { LRUCache } from 'lru-cache';
import { ProjectMetrics } from './project-metrics.js';
import type { SnapshotFiles } from './snapshot-files.js';

export interface MetricDefinitionsOptions {
  readonly controlPlane: Pick<ControlPlane, 'deployedMetrics'>;
  /** Model of metrics that name none; absent without one. */
  readonly defaultModel?: DefaultModel | undefined;
  /** Absent: definitions are only kept in memory. */
  readonly snapshots?: Pick<SnapshotFiles, 'read' | 'write'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly warn: (phrase: string, error: unknown) => void;
}

interface Entry {
  readonly metrics: ProjectMetrics;
  /** When they began to be read, Unix milliseconds. */
  readonly loadedAt: number;
  readonly bytes: number;
}

/** Definitions are used for at most this long. */
const MAX_AGE_MS = 30_000;
/** Definitions of more bytes, a page, are used for {@link MAX_AGE_MS} even if the caller asks for newer ones. */
const CHEAP_BYTES = 1024 * 1024;
/** Pause after a failed read. */
const PAUSE_MS = 1_000;
const MAX_CACHE_BYTES = 256 * 1024 * 1024;
const OVERHEAD_BYTES = 1_000;
/** More pages than the metrics of a project need. */
const MAX_PAGES = 10_000;

/**
 * Metrics of projects, from memory while they are recent enough, otherwise from the control plane. While it is
 * unavailable the last known ones are used, also after a restart.
 */
export class MetricDefinitions {
  readonly #cache = new LRUCache<string, Entry>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes + OVERHEAD_BYTES,
  });
  readonly #loading = new Map<string, Promise<Entry>>();
  #pausedUntil = 0;

  constructor(private readonly options: MetricDefinitionsOptions) {}

  /**
   * Returns the metrics of a project, at most 30 s old.
   * @param since Unix milliseconds; metrics that were read before are read again, unless that is expensive
   * @throws AppError `UNAVAILABLE` when neither the control plane nor a snapshot has them
   */
  async of(projectId: string, since = 0): Promise<ProjectMetrics> {
    const { now } = this.options;
    const cached = this.#cache.get(projectId);
    if (cached && isRecent(cached, since, now())) return cached.metrics;
    if (now() < this.#pausedUntil) return (cached ?? (await this.#lastKnown(projectId))).metrics;
    try {
      return (await this.#load(projectId, since)).metrics;
    } catch (error) {
      this.#pausedUntil = now() + PAUSE_MS;
      this.options.warn('control plane unreachable, using the last known metrics', error);
      return (cached ?? (await this.#lastKnown(projectId))).metrics;
    }
  }

  /** Callers share a read that began late enough for them. */
  #load(projectId: string, since: number): Promise<Entry> {
    const running = this.#loading.get(projectId);
    if (running && since === 0) return running;
    const loading = this.#read(projectId).finally(() => {
      if (this.#loading.get(projectId) === loading) this.#loading.delete(projectId);
    });
    this.#loading.set(projectId, loading);
    return loading;
  }

  async #read(projectId: string): Promise<Entry> {
    const { controlPlane, now, snapshots, warn } = this.options;
    const loadedAt = now();
    const metrics = await readAll(controlPlane, projectId);
    const entry = this.#keep(projectId, metrics, loadedAt);
    await snapshots
      ?.write(projectId, metrics)
      .catch((error: unknown) => warn('cannot write the snapshot of metrics', error));
    return entry;
  }

  async #lastKnown(projectId: string): Promise<Entry> {
    const metrics = await this.options.snapshots?.read(projectId);
    if (metrics === undefined) throw unavailable('the metrics of the project are not known');
    return this.#keep(projectId, metrics, 0);
  }

  #keep(projectId: string, definitions: readonly DeployedMetric[], loadedAt: number): Entry {
    const bytes = definitions.reduce((sum, metric) => sum + JSON.stringify(metric).length, 0);
    const evaluated = definitions.map((metric) => withDefaultModel(metric, this.options.defaultModel));
    const entry = { metrics: new ProjectMetrics(evaluated), loadedAt, bytes };
    this.#cache.set(projectId, entry);
    return entry;
  }
}

function isRecent({ loadedAt, bytes }: Entry, since: number, now: number): boolean {
  if (now - loadedAt >= MAX_AGE_MS) return false;
  return loadedAt >= since || bytes > CHEAP_BYTES;
}

async function readAll(
  controlPlane: Pick<ControlPlane, 'deployedMetrics'>,
  projectId: string,
): Promise<DeployedMetric[]> {
  const metrics: DeployedMetric[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: Awaited<ReturnType<typeof controlPlane.deployedMetrics>> = await controlPlane.deployedMetrics(
      {
        projectId,
        after,
      },
    );
    metrics.push(...page.metrics);
    if (page.next === null) return metrics;
    after = page.next;
  }
  throw unavailable('invalid response from the control plane: pages of metrics without an end');
}
