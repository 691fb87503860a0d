import { datasetChange, NO_CHANGE, type DatasetChange } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { InTurn } from '../shared/in-turn.js';
import type { NextPosition } from '../shared/list-position.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import type { DatapointCollection } from './datapoint-document.js';
import type {
  Dataset,
  DatasetCollection,
  DatasetFields,
  DatasetMemberCollection,
  DatasetVersionCollection,
} from './dataset-document.js';
import { DatasetMembers } from './dataset-members.js';
import { DatasetVersions } from './dataset-versions.js';

export interface DatasetDeps {
  readonly datasets: DatasetCollection;
  readonly members: DatasetMemberCollection;
  readonly datasetVersions: DatasetVersionCollection;
  readonly nextPosition: NextPosition;
  readonly inTurn: InTurn;
  readonly now: () => Date;
}

export interface DatapointDeps extends DatasetDeps {
  readonly datapoints: DatapointCollection;
}

/** A change of the members of a list, and how it is made. */
interface MemberChange {
  readonly change: DatasetChange;
  readonly make: (dataset: Dataset) => Promise<void>;
}

/** Datasets of one project, their members and their versions. */
export class DatasetRepository {
  readonly collection: ProjectScopedCollection<DatasetFields>;
  readonly members: DatasetMembers;
  readonly versions: DatasetVersions;

  constructor(
    private readonly deps: DatasetDeps,
    projectId: string,
  ) {
    this.collection = new ProjectScopedCollection(deps.datasets, projectId);
    this.members = new DatasetMembers(deps.members, projectId, deps.nextPosition);
    this.versions = new DatasetVersions(deps.datasetVersions, projectId);
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
    await this.changeMembers(id, async (dataset) => {
      const present = await this.members.membersAmong(dataset, datapointIds);
      const added = [...new Set(datapointIds)].filter((one) => !present.has(one));
      if (added.length === 0) return undefined;
      const make = (list: Dataset) => this.members.add(list, added);
      return { change: { ...NO_CHANGE, added: added.length }, make };
    });
  }

  /**
   * Removes a datapoint from a dataset. Returns whether the dataset contained it. @throws AppError as {@link
   * link}
   */
  async unlink(id: string, datapointId: string): Promise<boolean> {
    let isRemoved = false;
    await this.changeMembers(id, async (dataset) => {
      const present = await this.members.membersAmong(dataset, [datapointId]);
      if (present.size === 0) return undefined;
      const make = async (list: Dataset) => {
        isRemoved = (await this.members.remove(list, datapointId)) || isRemoved;
      };
      return { change: { ...NO_CHANGE, removed: 1 }, make };
    });
    return isRemoved;
  }

  /** Records that a datapoint of a dataset gets another content. @throws AppError as {@link link} */
  async recordContent(id: string): Promise<void> {
    const change = { ...NO_CHANGE, changed: 1 };
    await this.changeMembers(id, () => Promise.resolve({ change, make: () => Promise.resolve() }));
  }

  /**
   * Replaces the fields of a dataset, and its list by another one that holds these datapoints, in one write.
   * @returns the new dataset and the id of the replaced list
   * @throws AppError `NOT_FOUND`, and any error of `update`
   */
  async replaceList(
    id: string,
    list: { readonly list_id: string; readonly datapoints: readonly string[] },
    update: (dataset: Dataset) => Dataset,
  ): Promise<{ readonly changed: Dataset; readonly replaced: string }> {
    return this.alone(id, async () => {
      const before = await this.getExisting(id);
      const change = datasetChange(await this.members.ids(before), list.datapoints);
      const content = { ...update(before), list_id: list.list_id };
      const changed = await this.record(content, change, new Set(list.datapoints).size);
      return changed ? { changed, replaced: before.list_id } : LOST;
    });
  }

  /**
   * Changes the list of a dataset, and repeats the change if the dataset got another list meanwhile. The version is
   * recorded first: a change that fails half way has one, so that datapoints never differ within a version.
   */
  private async changeMembers(
    id: string,
    plan: (dataset: Dataset) => Promise<MemberChange | undefined>,
  ): Promise<void> {
    await this.alone(id, async () => {
      const dataset = await this.getExisting(id);
      const planned = await plan(dataset);
      if (planned === undefined) return undefined;
      const { added, removed } = planned.change;
      const count = (await this.members.count(dataset)) + added - removed;
      const updated_at = this.deps.now().toISOString();
      const recorded = await this.record({ ...dataset, updated_at }, planned.change, count);
      if (recorded === undefined) return LOST;
      await planned.make(recorded);
      return (await this.getExisting(id)).list_id === dataset.list_id ? undefined : LOST;
    });
  }

  /** Writes a dataset with its next version; without one if nothing changes. Undefined if it was written concurrently. */
  private async record(
    dataset: Dataset,
    change: DatasetChange,
    datapoints: number,
  ): Promise<Dataset | undefined> {
    const { newest_version: newest } = dataset;
    if (change.added + change.removed + change.changed === 0) return this.collection.replace(dataset);
    if (newest !== undefined) await this.versions.keep(dataset.id, newest);
    const version = { version: (newest?.version ?? 0) + 1, created_at: dataset.updated_at };
    return this.collection.replace({ ...dataset, newest_version: { ...version, ...change, datapoints } });
  }

  private alone<T>(id: string, attempt: () => Promise<T | typeof LOST>): Promise<T> {
    return this.deps.inTurn(`${this.collection.projectId}:${id}`, () => retryWhileLost(attempt));
  }
}
