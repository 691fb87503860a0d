import type { createDataset, listDatasets, ResponseOf } from '@assay/contracts';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';

export interface FoundDataset {
  readonly id: string;
  readonly isCreated: boolean;
}

const as = 'project';
const PATH = '/v1/datasets';

/**
 * Finds a dataset by its id or its name. With `mayCreate` one of this name is created if there is none.
 * @throws CliError when there is none, or several have the name
 */
export async function findDataset(api: Api, nameOrId: string, mayCreate: boolean): Promise<FoundDataset> {
  const [ofId] = await list(api, { dataset_id: nameOrId });
  if (ofId) return { id: ofId.id, isCreated: false };
  const [named, other] = await list(api, { name: nameOrId });
  if (other) throw new CliError('several datasets have this name, set --dataset to the id of one of them');
  if (named) return { id: named.id, isCreated: false };
  if (!mayCreate) throw new CliError('no dataset has this name or id, add --create to create it');
  const body = { name: nameOrId };
  const created = await api.call<ResponseOf<typeof createDataset>>({ method: 'POST', path: PATH, body, as });
  return { id: created.result.insertedId, isCreated: true };
}

async function list(api: Api, query: Readonly<Record<string, string>>) {
  const { datasets } = await api.call<ResponseOf<typeof listDatasets>>({ path: PATH, query, as });
  return datasets;
}
