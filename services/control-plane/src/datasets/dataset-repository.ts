import { notFound } from '@assay/errors';
import type { NextPosition } from '../shared/list-position.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import type { DatapointCollection } from './datapoint-document.js';
import type {
  Dataset,
  DatasetCollection,
  DatasetFields,
  DatasetMemberCollection,
} from './dataset-document.js';
import { DatasetMembers } from './dataset-members.js';

export interface DatasetDeps {
  readonly datasets: DatasetCollection;
  readonly members: DatasetMemberCollection;
  readonly nextPosition: NextPosition;
  readonly now: () => Date;
}

export interface DatapointDeps extends DatasetDeps {
  readonly datapoints: DatapointCollection;
}

/** Datasets of one project and their members. */
export class DatasetRepository {
  readonly collection: ProjectScopedCollection<DatasetFields>;
  readonly members: DatasetMembers;

  constructor(
    private readonly deps: DatasetDeps,
    projectId: string,
  ) {
    this.collection = new ProjectScopedCollection(deps.datasets, projectId);
    this.members = new DatasetMembers(deps.members, projectId, deps.nextPosition);
  }

  /** @throws AppError `NOT_FOUND` */
  async getExisting(id: string): Promise<Dataset> {
    const dataset = await this.collection.get(id);
    if (!dataset) throw notFound('dataset not found');
    return dataset;
  }

  /** Returns the newest dataset of this name. */
  async newestNamed(name: string): Promise<Dataset | undefined> {
    const [newest] = await this.collection.page(
      { equals: { name }, orderBy: 'created_at', descending: true },
      1,
    );
    return newest;
  }

  /**
   * Appends datapoints to a dataset. If a concurrent request replaces the whole list, they are appended to
   * the new list too, so that no acknowledged datapoint is lost.
   * @throws AppError `NOT_FOUND`, also if the dataset is deleted meanwhile; `CONFLICT` after ten attempts
   */
  async link(id: string, datapointIds: readonly string[]): Promise<void> {
    await this.changeMembers(id, (dataset) => this.members.add(dataset, datapointIds));
  }

  /**
   * Removes a datapoint from a dataset. Returns whether the dataset contained it. @throws AppError as {@link
   * link}
   */
  async unlink(id: string, datapointId: string): Promise<boolean> {
    let isRemoved = false;
    await this.changeMembers(id, async (dataset) => {
      isRemoved = (await this.members.remove(dataset, datapointId)) || isRemoved;
    });
    return isRemoved;
  }

  /** Changes the list of a dataset, and repeats the change if the dataset got another list meanwhile. */
  private async changeMembers(id: string, change: (dataset: Dataset) => Promise<void>): Promise<void> {
    let dataset = await this.getExisting(id);
    await retryWhileLost(async () => {
      await change(dataset);
      const updated_at = this.deps.now().toISOString();
      if (await this.collection.replace({ ...dataset, updated_at })) return undefined;
      const current = await this.getExisting(id);
      if (current.list_id === dataset.list_id) return undefined;
      dataset = current;
      return LOST;
    });
  }
}
