import { datasetOfRun, foldText, type RunContent } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/** Run, stored under its id. `run_id` and the keys are derived, for queries. */
export interface RunFields extends ProjectOwned, RunContent {
  readonly created_at: string;
  readonly updated_at: string;
  readonly run_id: string;
  /** {@link nameKey} of the name; empty if there is none. */
  readonly name_key: string;
  /** Id of the dataset, which may be one of the client's own. */
  readonly dataset_key: string | null;
  /** Version of the dataset when it became that of the run; absent on runs from before versions were recorded. */
  readonly dataset_version?: number | null;
}
export type Run = Document<RunFields>;
export type RunCollection = DocumentCollection<RunFields>;

/** Fields that runs may be ordered by. */
const SORT_FIELDS = ['created_at', 'updated_at', 'name_key', 'status'];

/**
 * Indexes for every order of all runs, of a status, of a dataset and of both, so that the selective filters
 * never scan.
 */
export const RUN_COLLECTION: CollectionSpec = {
  name: 'runs',
  unique: [],
  indexes: [[], ['status'], ['dataset_key'], ['dataset_key', 'status']].flatMap((chosen) =>
    SORT_FIELDS.filter((order) => !chosen.includes(order)).map((order) => ['project_id', ...chosen, order]),
  ),
  filtered: ['run_id'],
};

/**
 * Maximum length of an indexed dataset id, in characters. A client's own id may be longer in the run's
 * metadata.
 */
const MAX_KEY_LENGTH = 250;

/** Returns the derived fields of a run. */
export function keysOf(run: RunContent): Pick<RunFields, 'name_key' | 'dataset_key'> {
  return {
    name_key: nameKey(run.name ?? ''),
    dataset_key: datasetOfRun(run)?.slice(0, MAX_KEY_LENGTH) ?? null,
  };
}

/** The name as lists search it: without differences of case. */
export function nameKey(name: string): string {
  return foldText(name);
}
