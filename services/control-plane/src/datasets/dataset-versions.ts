import { MAX_DATASET_VERSIONS } from '@assay/contracts';
import type { DatasetVersion } from '@assay/domain';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { DatasetVersionCollection, DatasetVersionFields } from './dataset-document.js';

const PAGE = 1_000;

/**
 * Earlier versions of the datasets of one project. The newest version of a dataset is part of its document, so that it
 * is written with the change; it is kept here before the document gets the next one.
 */
export class DatasetVersions {
  private readonly collection: ProjectScopedCollection<DatasetVersionFields>;

  constructor(collection: DatasetVersionCollection, projectId: string) {
    this.collection = new ProjectScopedCollection(collection, projectId);
  }

  /** Keeps a version, and deletes the one that is too old then. Repeating the call is harmless. */
  async keep(datasetId: string, { version: number, ...version }: DatasetVersion): Promise<void> {
    const fields = { project_id: this.collection.projectId, dataset_id: datasetId, number, ...version };
    await this.collection.insertMissing([{ id: versionId(datasetId, number), fields }]);
    // The newest version is in the dataset itself.
    const expired = number - (MAX_DATASET_VERSIONS - 1);
    if (expired > 0) await this.collection.delete(versionId(datasetId, expired));
  }

  /** Returns the kept versions up to a number, newest first. */
  async page(datasetId: string, upTo: number, limit: number): Promise<DatasetVersion[]> {
    if (limit === 0) return [];
    const query = {
      equals: { dataset_id: datasetId },
      orderBy: 'number',
      descending: true,
      where: [{ field: 'number', to: upTo }],
    };
    const found = await this.collection.page(query, limit);
    return found.map(({ number, created_at, added, removed, changed, datapoints }) => ({
      version: number,
      ...{ created_at, added, removed, changed, datapoints },
    }));
  }

  /** Deletes all versions of a dataset. */
  async drop(datasetId: string): Promise<void> {
    for (;;) {
      const page = await this.collection.page({ equals: { dataset_id: datasetId }, orderBy: 'number' }, PAGE);
      await this.collection.deleteAll(page.map(({ id }) => id));
      if (page.length < PAGE) return;
    }
  }
}

function versionId(datasetId: string, number: number): string {
  return `${datasetId}:${number}`;
}
