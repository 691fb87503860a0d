import { AppError, notFound } from '@assay/errors';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type {
  Dataset,
  DatasetFields,
  DatasetCollection,
  DatasetMemberCollection,
} from './dataset-document.js';
import { DatasetMembers } from './members.js';
import type { NextPosition } from '../shared/list-position.js';

export interface DatasetDeps {
  readonly datasets: DatasetCollection;
  readonly members: DatasetMemberCollection;
  readonly nextPosition: NextPosition;
  readonly now: () => Date;
}

const ATTEMPTS = 10;

/** The datasets of one project, and what they hold. */
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

  /** The newest dataset of this name. */
  async newestNamed(name: string): Promise<Dataset | undefined> {
    const [newest] = await this.collection.page(
      { equals: { name }, orderBy: 'created_at', descending: true },
      1,
    );
    return newest;
  }

  /**
   * Adds datapoints to the end of a dataset. If somebody replaces the whole list meanwhile, they are added to the new list too: what was
   * acknowledged is not lost.
   * @throws AppError `NOT_FOUND` when there is no such dataset (any more), `CONFLICT` after ten attempts
   */
  async link(id: string, datapointIds: readonly string[]): Promise<void> {
    let dataset = await this.getExisting(id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.members.add(dataset, datapointIds);
      if (await this.collection.replace({ ...dataset, updated_at: this.deps.now().toISOString() })) return;
      const since = await this.getExisting(id);
      if (since.list_id === dataset.list_id) return;
      dataset = since;
    }
    throw new AppError(
      'CONFLICT',
      'others are replacing the datapoints of this dataset at the same time, try again',
    );
  }

  /** False when the dataset does not hold the datapoint. @throws AppError `NOT_FOUND` for the dataset */
  async unlink(id: string, datapointId: string): Promise<boolean> {
    let dataset = await this.getExisting(id);
    let held = false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      held = (await this.members.remove(dataset, datapointId)) || held;
      if (await this.collection.replace({ ...dataset, updated_at: this.deps.now().toISOString() }))
        return held;
      const since = await this.getExisting(id);
      if (since.list_id === dataset.list_id) return held;
      dataset = since;
    }
    throw new AppError(
      'CONFLICT',
      'others are replacing the datapoints of this dataset at the same time, try again',
    );
  }
}
