import { datasetOfRun, type RunContent } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/** A run, under its id. The last three fields follow from the others and are what runs are found by. */
export interface RunFields extends ProjectOwned, RunContent {
  readonly created_at: string;
  readonly updated_at: string;
  readonly run_id: string;
  /** The name in lower case; empty when there is none. */
  readonly name_key: string;
  /** The dataset as clients know it, also one of their own. */
  readonly dataset_key: string | null;
}
export type Run = Document<RunFields>;
export type RunCollection = DocumentCollection<RunFields>;

/** What runs may be ordered by. */
const ORDERS = ['created_at', 'updated_at', 'name_key', 'status'];

/** Every order among all runs, those of a status, of a dataset, and of both: what selects most is never looked for run by run. */
export const RUN_COLLECTION: CollectionSpec = {
  name: 'runs',
  unique: [],
  indexes: [[], ['status'], ['dataset_key'], ['dataset_key', 'status']].flatMap((chosen) =>
    ORDERS.filter((order) => !chosen.includes(order)).map((order) => ['project_id', ...chosen, order]),
  ),
  filtered: ['run_id'],
};

/** The longest dataset id that an index takes, in characters; a client's own may be longer in its metadata. */
const MAX_KEY_LENGTH = 250;

/** What runs are found by. */
export function keysOf(run: RunContent): Pick<RunFields, 'name_key' | 'dataset_key'> {
  return {
    name_key: nameKey(run.name ?? ''),
    dataset_key: datasetOfRun(run)?.slice(0, MAX_KEY_LENGTH) ?? null,
  };
}

export function nameKey(name: string): string {
  return name.toLowerCase();
}
